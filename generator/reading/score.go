package reading

import (
	"fmt"
	"strconv"

	"twindrift/generator"
)

// Score is what a sorted set keeps of an id. Ids and scores are strings, because
// many JSON readers round integers of this size.
type Score struct {
	Score         string `json:"score"` // the float64
	ScoreExact    bool   `json:"score_exact"`
	SameScoreFrom string `json:"same_score_from"` // smallest and largest number with this score
	SameScoreTo   string `json:"same_score_to"`
}

// ScoreOf is that of an id.
func ScoreOf(id int64) Score {
	score, exact := generator.Score(id)
	low, high := generator.SharedScore(id)
	return Score{
		Score:         strconv.FormatFloat(score, 'f', 0, 64),
		ScoreExact:    exact,
		SameScoreFrom: strconv.FormatInt(low, 10),
		SameScoreTo:   strconv.FormatInt(high, 10),
	}
}

// Score adds the lines of a score.
func (l *Lines) Score(s Score) {
	if s.ScoreExact {
		l.Line("score", "%s, exact as a float64", s.Score)
	} else {
		l.Line("score", "%s as a float64, not exact", s.Score)
	}
	l.Line("", "shared by %s .. %s", s.SameScoreFrom, s.SameScoreTo)
}

// Note is the score in a sentence.
func (s Score) Note() string {
	if s.SameScoreFrom == s.SameScoreTo {
		return fmt.Sprintf("As a sorted-set score it is %s, which no other number has.", s.Score)
	}
	return fmt.Sprintf("As a sorted-set score it is %s, the same as for all numbers from %s to %s.", s.Score, s.SameScoreFrom, s.SameScoreTo)
}
