import { join } from 'node:path'
import type { ContainerPrograms } from './programs.js'

/** Where a private containerd has what it has: everything is in one folder. */
export interface ContainerdPaths {
  readonly folder: string
  readonly configuration: string
  readonly socket: string
  readonly log: string
  readonly root: string
  readonly state: string
  readonly runcState: string
}

export function containerdPaths(folder: string): ContainerdPaths {
  return {
    folder,
    configuration: join(folder, 'config.toml'),
    socket: join(folder, 'containerd.sock'),
    log: join(folder, 'containerd.log'),
    root: join(folder, 'root'),
    state: join(folder, 'state'),
    runcState: join(folder, 'runc'),
  }
}

export interface ContainerdConfigurationOptions {
  readonly paths: ContainerdPaths
  readonly programs: ContainerPrograms
  readonly sandboxImage: string
  /** Where the network configuration of pods is looked for. */
  readonly networkFolder: string
  /** Where `<host>/hosts.toml` tells how registries are reached. */
  readonly registryFolder: string
  /** Without the capability, asking for a lower score would fail every container of an important pod. */
  readonly mayLowerOomScore: boolean
}

const cri = 'io.containerd.grpc.v1.cri'

/** Snapshotters that need what a machine rarely has, and telemetry that nobody asked for. */
const disabledPlugins = [
  'io.containerd.snapshotter.v1.aufs',
  'io.containerd.snapshotter.v1.btrfs',
  'io.containerd.snapshotter.v1.devmapper',
  'io.containerd.snapshotter.v1.zfs',
  'io.containerd.internal.v1.tracing',
  'io.containerd.tracing.processor.v1.otlp',
]

type Table = Readonly<Record<string, string | boolean | number | readonly string[]>>

/**
 * containerd's configuration, for 1.6 and newer. Nothing of it points to a place that another containerd of this machine uses:
 * data, sockets, what `/opt/containerd` is for, runc's records, and the network namespaces, which would else be in `/run/netns`.
 */
export function containerdConfiguration(options: ContainerdConfigurationOptions): string {
  const { paths, programs, sandboxImage, networkFolder, registryFolder, mayLowerOomScore } = options
  const top = { version: 2, root: paths.root, state: paths.state, disabled_plugins: disabledPlugins }
  const runtime = ['plugins', cri, 'containerd', 'runtimes', 'runc']
  const tables: [path: readonly string[], table: Table][] = [
    [['grpc'], { address: paths.socket }],
    [['plugins', 'io.containerd.internal.v1.opt'], { path: join(paths.folder, 'opt') }],
    [
      ['plugins', cri],
      {
        sandbox_image: sandboxImage,
        restrict_oom_score_adj: !mayLowerOomScore,
        netns_mounts_under_state_dir: true,
        stream_server_address: '127.0.0.1',
        stream_server_port: '0',
        enable_unprivileged_ports: true,
        enable_unprivileged_icmp: true,
      },
    ],
    [['plugins', cri, 'containerd'], { snapshotter: 'overlayfs', default_runtime_name: 'runc' }],
    [runtime, { runtime_type: 'io.containerd.runc.v2' }],
    [[...runtime, 'options'], { BinaryName: programs.runc, Root: paths.runcState, SystemdCgroup: false }],
    [['plugins', cri, 'cni'], { bin_dir: programs.networkPlugins, conf_dir: networkFolder }],
    [['plugins', cri, 'registry'], { config_path: registryFolder }],
  ]
  return [
    tomlLines(top),
    ...tables.map(([path, table]) => `[${path.map(tomlKey).join('.')}]\n${tomlLines(table)}`),
  ].join('\n')
}

function tomlLines(table: Table): string {
  return Object.entries(table)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join('')
}

/** JSON's texts, truths, numbers and lists are TOML's too. */
function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}
