package external

import (
	"bufio"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"twindrift/generator"
)

// process is a command that runs. A goroutine writes the requests, so that answers can be
// read at the same time: neither side can wait for the other for ever.
type process struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	outPipe  io.Closer
	out      *bufio.Reader
	stderr   *tail
	requests chan request   // to the writing goroutine
	sent     chan error     // from it, one for each request
	written  sync.WaitGroup // it has ended

	deadline *time.Timer // takes the process down; runs while answers are waited for
	expired  atomic.Bool // it did

	ending sync.Mutex // of killed and waited: a pid that was reaped is not to be killed
	killed bool
	waited bool
}

// request is a batch to be written.
type request struct {
	calls generator.Calls
	node  int32
}

// ended is how a process ended.
type ended struct {
	text    string // "exit status 1", "signal: killed", "still running"
	clean   bool   // status 0, or it was killed in good order
	running bool   // until it was killed
}

// start runs the command.
func start(cfg Config, f framing) (*process, error) {
	p := &process{
		cmd:      exec.Command(cfg.Command[0], cfg.Command[1:]...),
		stderr:   &tail{},
		requests: make(chan request, InFlight),
		sent:     make(chan error, InFlight),
	}
	p.cmd.Stderr = p.stderr
	p.cmd.WaitDelay = time.Second // where a child of it keeps standard error open
	apart(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.in, p.outPipe, p.out = in, out, bufio.NewReaderSize(out, 128<<10)
	p.deadline = time.AfterFunc(cfg.Timeout, func() {
		p.expired.Store(true)
		p.takeDown()
	})
	p.written.Go(func() {
		var buf []byte
		for r := range p.requests {
			buf = f.encode(buf[:0], r.calls, r.node, cfg.PartitionNumber)
			_, err := in.Write(buf)
			p.sent <- err
		}
	})
	return p, nil
}

// takeDown kills the process and closes its pipes, which ends every wait for them, also
// where somebody else holds their other ends.
func (p *process) takeDown() {
	p.ending.Lock()
	if !p.waited {
		p.killed = true
		kill(p.cmd)
	}
	p.ending.Unlock()
	p.in.Close()
	p.outPipe.Close()
}

// finish ends the input, and waits for the process to end, which it is made to when the
// grace is over. The error is what it answered unasked.
func (p *process) finish(grace time.Duration) (status ended, extra error) {
	close(p.requests)
	p.written.Wait()
	p.in.Close()
	over := time.AfterFunc(grace, p.takeDown)
	defer over.Stop()
	if _, err := p.out.Peek(1); err == nil {
		extra = surplus(p.out)
		io.Copy(io.Discard, p.out)
	}
	status = p.wait()
	status.clean = status.clean || status.running
	return status, extra
}

// abandon is the end of a process that failed. It has a while to end by itself, so that
// its status and last words are known.
func (p *process) abandon(lastWords time.Duration) ended {
	p.deadline.Stop()
	over := time.AfterFunc(lastWords, p.takeDown)
	defer over.Stop()
	status := p.wait()
	close(p.requests)
	p.in.Close()
	p.written.Wait()
	return status
}

// wait reaps the process.
func (p *process) wait() ended {
	p.cmd.Wait() // what it gives beside the state is of no use here
	p.ending.Lock()
	defer p.ending.Unlock()
	p.waited = true
	state := p.cmd.ProcessState
	if p.killed && !state.Exited() {
		return ended{text: "still running", running: true}
	}
	return ended{text: state.String(), clean: state.Success()}
}
