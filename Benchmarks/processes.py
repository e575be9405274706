"""What the processes of a panel cost. Shared by the benchmarks in Python."""

import os


def children(parent):
    """The children of all threads of a process; none, if it ends meanwhile."""
    found = []
    try:
        for task in os.listdir(f"/proc/{parent}/task"):
            with open(f"/proc/{parent}/task/{task}/children") as file:
                found += [int(word) for word in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return found


def family(process):
    """A process and its descendants."""
    return [process] + [each for child in children(process) for each in family(child)]


def proportional(processes):
    """The sum of their proportional memory, in megabytes."""
    total = 0
    for process in processes:
        with open(f"/proc/{process}/smaps_rollup") as file:
            total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    return total / 1024


def wake_ups(processes):
    """The voluntary context switches of all their threads so far."""
    total = 0
    for process in processes:
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/status") as file:
                total += sum(
                    int(line.split()[1]) for line in file if line.startswith("voluntary"))
    return total
