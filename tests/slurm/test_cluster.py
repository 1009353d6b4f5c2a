"""The local cluster itself: two at once, a node that dies and comes back, and nothing that stays behind."""

import os
import subprocess

import pytest
from conftest import wait_for
from local_cluster import SCRIPT, Cluster


def processes(root):
    """Numbers of all processes that name the cluster's folder."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{number}/cmdline").read() + open(f"/proc/{number}/environ").read()
        except OSError:
            continue
        if str(root) in words:
            found.append(number)
    return found


def test_nodes_have_names_and_shared_memory_of_their_own(cluster):
    words = cluster.command("srun", "-N3", "-n3", "bash", "-c", "touch /dev/shm/$(hostname); echo $(hostname) $(ls /dev/shm)")
    assert sorted(words.stdout.splitlines()) == [f"node{i} node{i}" for i in (1, 2, 3)]


def test_two_clusters_do_not_meet(cluster, tmp_path):
    other = Cluster(tmp_path / "other", cluster.environment)
    other.script("start", "-n", "1", "-g", "1")
    try:
        assert list(other.nodes()) == ["node1"] and len(cluster.nodes()) == 3
        assert "running already" in other.script("start").stdout
        assert other.command("srun", "-n1", "hostname").stdout == "node1\n"
    finally:
        other.script("stop")
    assert not processes(other.root) and not other.root.exists()
    assert "idle" in cluster.nodes().values()
    other.script("stop")  # once more does nothing


def test_a_node_dies_and_comes_back(cluster):
    cluster.script("killnode", "node2")
    assert cluster.script("killnode", "node2", check=False).returncode == 1
    assert cluster.command("srun", "-N2", "-w", "node1,node3", "hostname").stdout.count("node") == 2
    cluster.script("node", "node2")
    cluster.clean()
    assert cluster.command("srun", "-w", "node2", "hostname").stdout == "node2\n"


def test_it_ends_with_the_process_that_wanted_it(cluster, tmp_path):
    owner = subprocess.Popen(["sleep", "300"])
    other = Cluster(tmp_path / "other", cluster.environment)
    other.script("start", "-n", "1", "-w", owner.pid)
    assert processes(other.root)
    owner.kill()
    owner.wait()
    wait_for(lambda: not other.root.exists() and not processes(other.root))


@pytest.mark.parametrize("words", [["start", "-n", "0"], ["start", "-x"], ["killnode", "node9"], ["node", ""], ["dance"], []])
def test_wrong_words(cluster, words):
    assert cluster.script(*words, check=False).returncode == 2


def test_a_folder_with_other_files_is_left_alone(cluster, tmp_path):
    (tmp_path / "thesis.txt").write_text("precious")
    result = subprocess.run([str(SCRIPT), "-r", str(tmp_path), "start"], capture_output=True, text=True)
    assert result.returncode == 2
    subprocess.run([str(SCRIPT), "-r", str(tmp_path), "stop"], check=True)
    assert (tmp_path / "thesis.txt").exists()
