# What people and CI type. The work is done by the scripts named here.

.PHONY: demo test quick e2e bench

# The quickstart in a scratch folder: plan, apply, plan, an edit with its money, and an edit that a policy denies.
demo:
	@examples/demo.sh

# Everything: installs what the tests need, checks the house, runs the program's tests and the real counterparts.
test:
	@tests/run.sh install quick e2e

# Formatting, lints, all tests without services, documentation.
quick:
	@tests/run.sh quick

# The real counterparts only: Slurm, the AWS service models, the API server's own validation.
e2e:
	@tests/run.sh e2e

# Time and memory at three sizes, as a table for docs/benchmarks.md.
bench:
	@tests/bench/run.sh
