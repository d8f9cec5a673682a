// Package sim replays a capture through simulated data centers and measures
// what becomes of the message ids.
//
// A run takes a replay.Source and a scenario and gives a result. The capture is
// cut into epochs by the time at which the source log held the messages. Each
// site (package site) takes an epoch and says when its consumers draw ids; two
// lanes, the chosen generator and the consumption-time baseline, draw them and
// measure the site's list (package measure); pairs of sites are compared. Each
// of these is a stage, a goroutine of its own that goes through the epochs in
// order, so that stages run side by side and a result depends on the messages
// and the scenario alone.
//
// Explain goes over the capture in the same way, one stage after the other and
// without measures, and tells the story of one id or message.
package sim
