import { join } from 'node:path'
import type { ContainerPrograms } from './programs.js'

/** The paths of a private containerd, all in one folder. */
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
  /** Folder of the CNI configuration. */
  readonly networkFolder: string
  /** Folder with `<host>/hosts.toml` for each registry. */
  readonly registryFolder: string
  /** Without the capability, a lower score would fail every container of a critical pod. */
  readonly mayLowerOomScore: boolean
}

const cri = 'io.containerd.grpc.v1.cri'

/** Snapshotters for filesystems that are rare, and telemetry. */
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
 * Returns the configuration file for containerd 1.6 and newer. It names no path that another containerd of this host uses: data,
 * sockets, the replacement of `/opt/containerd`, runc's state and the network namespaces (`/run/netns` by default).
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

/** JSON strings are also valid TOML keys. */
function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}
