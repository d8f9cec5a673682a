# What there is to make. `make help` lists it; Go is all that is needed.

MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

ARGS ?=
FUZZTIME ?= 10s
BENCH ?= ^Benchmark(Stages|Plan|Stream|Run)$$
COUNT ?= 1
CASES ?= 10000
THREADS ?= 1,2,100
MESSAGES ?= 20000000
ROUNDS ?= 3
RACE := ./generator/secondslot=^TestShared './replay/parquet=Cut|Headers' './replay/kafka=Trouble|Transactions|Produced' ./replay/recipe=. ./sim=.

.PHONY: help
help: ## list what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: build ## build, replay the sample, report (ARGS="--node 1,1")
	@./twindrift run $(ARGS)

.PHONY: build
build: ## build ./twindrift
	@go build -o twindrift ./cmd/twindrift

.PHONY: install
install: ## install twindrift into GOBIN
	go install ./cmd/twindrift

.PHONY: test
test: ## run all tests, some under the race detector too; results last
	@{ s=0; go test -v -timeout 20m ./... || s=1; .ci/race $(RACE) || s=1; exit $$s; } 2>&1 | awk -f .ci/summary.awk

.PHONY: test-kafka
test-kafka: .kafka/libs ## test with real Kafka brokers (needs Java, Maven and kcat)
	@{ s=0; TWINDRIFT_KAFKA_LIBS=$(CURDIR)/.kafka/libs go test -v -tags kafka -timeout 20m -run '^TestApacheKafka$$' ./cmd/twindrift || s=1; exit $$s; } 2>&1 | awk -f .ci/summary.awk

.PHONY: test-redis
test-redis: ## test with a real Redis server (needs redis-server)
	@{ s=0; go test -v -tags redis -timeout 20m -run '^TestRealRedis' ./generator/redis || s=1; exit $$s; } 2>&1 | awk -f .ci/summary.awk

.PHONY: test-peers
test-peers: .bench/peers/ready ## hold runs against NumPy, DuckDB and so on (needs Python, pip)
	@{ s=0; TWINDRIFT_PEERS_PYTHON=$(CURDIR)/.bench/peers/bin/python go test -v -count 1 -tags peers -timeout 20m -run '^TestRealPeers$$' ./sim/bench/peers || s=1; exit $$s; } 2>&1 | awk -f .ci/summary.awk

.bench/peers/ready: sim/bench/peers/requirements.txt
	@python3 -c 'import ensurepip, venv' || { echo "this needs Python with pip (Debian: apt-get install python3-venv)"; exit 1; }
	@python3 -m venv --clear .bench/peers
	@.bench/peers/bin/pip install -q --disable-pip-version-check --only-binary :all: -r $< && touch $@

.PHONY: bench-kafka
bench-kafka: .kafka/libs ## time capture against kcat and Kafka's own consumer
	@TWINDRIFT_KAFKA_LIBS=$(CURDIR)/.kafka/libs go test -tags kafka -timeout 30m -run '^$$' -bench '^BenchmarkApacheKafka$$' -benchtime 3x -count $(COUNT) ./cmd/twindrift

.kafka/libs: cmd/twindrift/testdata/kafka/pom.xml
	@for tool in java mvn kcat; do command -v $$tool >/dev/null || { echo "this needs $$tool (Debian: apt-get install default-jre-headless maven kcat)"; exit 1; }; done
	@mvn -q -B -f $< dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/$@ && touch $@

.PHONY: test-random
test-random: ## hold the engine against the plain model (CASES=10000)
	@go test -v -timeout 0 -run '^TestEngineAgainstPlainModel$$' ./sim -rapid.checks=$(CASES)

.PHONY: check
check: ## formatting, vet, staticcheck, import directions, go.mod tidy
	@echo 'check: gofmt';       unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not formatted (run make fmt):"; echo "$$unformatted"; exit 1; }
	@echo 'check: build';       go build ./...
	@echo 'check: vet';         go vet ./... && go vet -tags kafka ./cmd/twindrift && go vet -tags redis ./generator/redis && go vet -tags peers ./sim/bench/peers
	@echo 'check: staticcheck'; go tool staticcheck -checks "$$(.ci/staticcheck)" ./...
	@echo 'check: house rules'; go test -run '^TestHouse' ./cmd/twindrift
	@echo 'check: go.mod';      go mod tidy -diff

.PHONY: fmt
fmt: ## format the code
	@gofmt -w .

.PHONY: bench
bench: ## time the stages of a run, and whole runs (BENCH=regexp COUNT=n)
	@go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) -timeout 0 ./... | awk '/^(goos|goarch|cpu|pkg|Benchmark|FAIL|---|panic)/ || /\.go:/'

.PHONY: bench-java
bench-java: build ## time second-slot in Java and in Go (needs a JDK; THREADS=1,2)
	@command -v javac >/dev/null || { echo "this needs a JDK (Debian: apt-get install default-jdk-headless)"; exit 1; }
	@mkdir -p .bench/java && javac -d .bench/java generator/external/example/java/SecondSlot.java generator/bench/java/SecondSlotBench.java
	@for round in $$(seq $(COUNT)); do for seconds in own shared one; do for threads in $$(tr , ' ' <<<'$(THREADS)'); do \
		./twindrift bench -q --generator second-slot --contention $$seconds --threads $$threads -o go; \
		java -cp .bench/java SecondSlotBench --contention $$seconds --threads $$threads; \
	done; done; done | tee .bench/java.txt
	@awk -f generator/bench/java/compare.awk .bench/java.txt

.PHONY: bench-peers
bench-peers: build .bench/peers/ready ## time inspect and run against others (MESSAGES=n ROUNDS=3)
	@.bench/peers/bin/python -B sim/bench/peers/compare.py --messages $(MESSAGES) --rounds $(ROUNDS) | tee .bench/peers.txt

.PHONY: fuzz
fuzz: ## run every fuzz target for a short while (FUZZTIME=10s)
	@grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sed 's|/[^/]*:func | |' | sort | \
	while read -r dir target; do \
		echo "fuzz: $$dir $$target"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$dir"; \
	done

.PHONY: cover
cover: ## measure what the tests cover (.bench/cover.html)
	@mkdir -p .bench
	@go test -coverpkg ./... -coverprofile .bench/cover.out ./... >.bench/cover.txt || { cat .bench/cover.txt; exit 1; }
	@go tool cover -html .bench/cover.out -o .bench/cover.html
	@go tool cover -func .bench/cover.out | tail -n 1

.PHONY: golden
golden: ## write golden files anew (then look at the difference)
	@grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -n 1 dirname | sort -u | \
	while read -r dir; do go test "$$dir" -update; done

.PHONY: datasets
datasets: ## make the embedded sample captures anew from their recipes
	go generate ./datasets

.PHONY: tidy
tidy: ## bring go.mod and go.sum up to date
	go mod tidy

.PHONY: clean
clean: ## take away what was built
	@rm -rf twindrift .bench .kafka
