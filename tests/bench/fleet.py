#!/usr/bin/env python3
"""fleet.py N FOLDER: writes a fleet of N pool blocks, 1,000 a file, 50 pools a Kubernetes cluster.

The pools are what a large site has: half elastic on AWS spot with two lots, half owned hosts with a shape of their
own; labels, taints, a template here and there. Each cluster has one tenant and two queues over its pools (Kueue takes
64 flavors in one resource group, so that more pools a cluster would be refused).
"""
import os
import sys

PER_CLUSTER = 50


def clusters(count):
    return (count + PER_CLUSTER - 1) // PER_CLUSTER


def head(count):
    yield 'fleet {\n  name     = "bench"\n  currency = "USD"\n  prices   = [price_book.list]\n}\n'
    yield 'price_book "list" { source = "shipped" }\n'
    yield 'tier "spot" {\n  kind         = "spot"\n  interruption = { notice = "2m", mean_time = "10h" }\n}\n'
    yield 'tier "owned" {\n  kind      = "owned"\n  ownership = { price = "$1.20/gpu/h" }\n}\n'
    yield ('target "aws" "use1" {\n  directory        = "live/aws"\n  region           = "us-east-1"\n'
           '  image            = "ami-0123456789abcdef0"\n  instance_profile = "bench-node"\n'
           '  security_groups  = ["sg-0aaa1111"]\n  user_data        = "node.tera"\n'
           '  zones            = { use1-az2 = "subnet-0aaa2222", use1-az4 = "subnet-0aaa4444" }\n}\n')
    for cluster in range(clusters(count)):
        yield (f'target "kubernetes" "k{cluster}" {{\n  directory = "live/k{cluster}"\n  version   = "1.33"\n'
               '  region    = "us-east-1"\n\n  kueue              = { version = "0.17" }\n'
               '  cluster_autoscaler = { version = "1.33" }\n}\n')
    yield 'class "train" {\n  priority   = 100\n  limits     = { gpus = "1..8" }\n  checkpoint = { every = "20m" }\n}\n'


def pool(number):
    cluster = number // PER_CLUSTER
    if number % 2:
        return (f'pool "p{number}" {{\n  accelerator = accelerator.nvidia-a100-40gb\n  tier        = tier.spot\n'
                f'  cluster     = target.kubernetes.k{cluster}\n  provision   = target.aws.use1\n  utilisation = "60%"\n'
                f'  idle_after  = "10m"\n  node_labels = {{ team = "team-${{{number % 7}}}", number = "{number}" }}\n'
                f'  taints      = ["bench.dev/pool=p{number}:NoSchedule"]\n\n  instance_types = ["p4d.24xlarge"]\n\n'
                f'  lot "az2" {{\n    zones = ["use1-az2"]\n    nodes = "0..{number % 5 + 1}"\n  }}\n'
                f'  lot "az4" {{\n    zones = ["use1-az4"]\n    nodes = "0..{number % 3 + 1}"\n  }}\n}}\n')
    return (f'pool "p{number}" {{\n  accelerator = accelerator.nvidia-h100-80gb-sxm\n  tier        = tier.owned\n'
            f'  cost_tier   = "high-performance"\n  cluster     = target.kubernetes.k{cluster}\n'
            f'  select      = {{ site-pool = "p{number}" }}\n'
            f'  node        = {{ gpus = 8, cpus = 2 * 56, memory = "2000GiB" }}\n  nodes       = {number % 9 + 1}\n}}\n')


def people(count):
    for cluster in range(clusters(count)):
        pools = range(cluster * PER_CLUSTER, min((cluster + 1) * PER_CLUSTER, count))
        yield f'tenant "t{cluster}" {{ namespaces = ["t{cluster}"] }}\n'
        for part, step in (("a", 2), ("b", 3)):
            listed = ", ".join(f"pool.p{n}" for n in pools[::step])
            yield (f'queue "q{cluster}-{part}" {{\n  class   = class.train\n  tenants = [tenant.t{cluster}]\n'
                   f'  pools   = [{listed}]\n}}\n')


def main():
    count, folder = int(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "fleet.pool.hcl"), "w") as file:
        file.write("\n".join(head(count)))
    with open(os.path.join(folder, "node.tera"), "w") as file:
        file.write("#!/bin/sh\n/etc/eks/bootstrap.sh {{ cluster_id }}\n")
    for part in range(0, count, 1000):
        with open(os.path.join(folder, f"pools-{part // 1000:03}.pool.hcl"), "w") as file:
            file.write("\n".join(pool(n) for n in range(part, min(part + 1000, count))))
    with open(os.path.join(folder, "queues.pool.hcl"), "w") as file:
        file.write("\n".join(people(count)))


main()
