import { readFileSync } from 'node:fs'
import { isOwnRegistryMirror } from '../../cri/containerd/registry-host.js'

/**
 * An entry that Proa creates in a data directory. Proa never deletes an entry that is not listed here, so code that writes a new file into
 * the data directory must add it to this list.
 */
export interface OwnedEntry {
  readonly name: RegExp
  /** A file, socket or pipe; a directory with everything in it; or a directory in which only these entries are Proa's. */
  readonly is: 'file' | 'tree' | readonly OwnedEntry[]
  /** Whether Proa created this one, if the name alone is not enough to know. */
  readonly isOwn?: (path: string) => boolean
}

/** Names with an ending such as `.new` are files that a killed process did not finish. */
const files = (...names: readonly RegExp[]): readonly OwnedEntry[] => names.map((name) => ({ name, is: 'file' }))
const trees = (...names: readonly RegExp[]): readonly OwnedEntry[] => names.map((name) => ({ name, is: 'tree' }))
const folder = (name: RegExp, ...entries: readonly OwnedEntry[]): OwnedEntry => ({ name, is: entries })

const pki = folder(
  /^pki$/,
  ...files(
    /^(ca|apiserver|apiserver-kubelet-client|admin|controller-manager|scheduler|proxy|kubelet)\.(crt|key)(\.new)?$/,
    /^sa\.key(\.new)?$/,
  ),
)

const store = folder(/^store$/, ...files(/^(data|lock)\.mdb$/, /^journal-\d(\.taken)?$/, /^holder\.(json|sock)$/))

/** Profiles in `seccomp` are the user's. */
const node = folder(
  /./,
  folder(/^pki$/, ...files(/^kubelet\.(crt|key)(\.new)?$/)),
  ...files(/^cpu_manager_state/),
  ...trees(/^(pods|logs|image_manager)$/),
)

const registryMirror: OwnedEntry = {
  name: /^hosts\.toml$/,
  is: 'file',
  isOwn: (path) => isOwnRegistryMirror(readFileSync(path, 'utf8')),
}

const containerd = folder(
  /^containerd$/,
  ...files(/^config\.toml$/, /^containerd\.(log|sock|sock\.ttrpc)$/),
  ...trees(/^(root|state|runc|opt)$/),
  folder(/^net\.d$/, ...files(/^10-proa\.conflist$/, /^\.10-proa\.conflist\.tmp$/)),
  folder(/^registries$/, folder(/^docker\.io$/, registryMirror)),
)

/** All entries but the marker, which `reset` deletes last, so that a killed `reset` can be repeated. */
export const contents: readonly OwnedEntry[] = [
  ...files(
    /^proa-cluster\.json\.new$/,
    /^running\.json(\.\d+)?$/,
    /^last-up\.json(\.new)?$/,
    /^up\.log$/,
    /^holder\.sock$/,
    /^(admin|controller-manager|scheduler|proxy|kubelet)\.kubeconfig(\.new)?$/,
  ),
  pki,
  store,
  ...trees(/^\.store\.restoring$/, /^addresses$/),
  folder(/^nodes$/, node),
  containerd,
]
