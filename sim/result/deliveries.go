package result

// Delivery states: what became of a delivery at a site.
const (
	Filtered     uint8 = iota // by the business filter: no id
	StoreOff                  // drew an id, storing is off for the topic
	Pushed                    // stored and pushed
	Late                      // stored, held back by the deadline
	Refused                   // by the generator: no id
	Deduplicated              // drew an id, and is not stored since the message is
)

// DeliveryStateNames are the names of the states in reports.
var DeliveryStateNames = [...]string{"filtered", "store-off", "pushed", "late", "refused", "deduplicated"}

// Deliveries is some deliveries at one consumer of one site, in draw order, as
// columns of one length.
type Deliveries struct {
	Site     string
	Node     int
	Consumer int // index within the site

	Partition  []int32 // index into Result.Input.Partitions
	Offset     []int64
	EventMs    []int64
	AppendMs   []int64 // when the source log held it, at latest 2170 (a century after the first message, where all are past 2170)
	ArrivalNs  []int64 // at the site, ns since the Unix epoch; the largest int64 for anything past 2262-04-11
	DrawNs     []int64 // of the id, likewise
	State      []uint8
	ID         []int64 // of no meaning where the state is Filtered or Refused
	BaselineID []int64 // 0 where there is none
}

// DeliverySink takes the deliveries of a run. It is called from one goroutine,
// in an order that depends only on the scenario and the messages. A sink must
// not keep the columns, which are used again.
type DeliverySink interface {
	Deliver(d *Deliveries) error
}
