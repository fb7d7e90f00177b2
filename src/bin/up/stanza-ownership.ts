import { X509Certificate } from 'node:crypto'
import type {
  Extensions,
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigUser,
  Stanza,
} from '../../client/kubeconfig/kubeconfig.js'

/** The cluster for which Proa writes and removes stanzas of a kubeconfig. */
export interface StanzaOwner {
  readonly name: string
  readonly dataDirectory: string
  /** The known CA certificates of the cluster, in PEM form. */
  readonly authorities: readonly string[]
}

/** The name of the extension that marks a stanza as written by Proa. Other clients preserve extensions. */
const extensionName = 'proa'

interface Marking {
  readonly extensions: Extensions
}

/** Returns the extension for a stanza that Proa writes. */
export function marking({ dataDirectory }: StanzaOwner): Marking {
  return { extensions: new Map([[extensionName, { dataDirectory }]]) }
}

export interface ForeignStanza {
  readonly kind: 'cluster' | 'user' | 'context'
  readonly file: string | undefined
}

/** Returns those of the three stanzas with the cluster's name that Proa did not write. They must not be replaced. */
export function foreignStanzas(config: Kubeconfig, owner: StanzaOwner): readonly ForeignStanza[] {
  const { clusters, users, contexts } = namedStanzas(config, owner)
  const cluster = clusters && !isMarked(clusters) && !isOwnCluster(clusters, owner) ? clusters : undefined
  const user = users && !isMarked(users) && !isOwnUser(users, owner) ? users : undefined
  const context = contexts && !isMarked(contexts) && !isOwnContext(contexts, owner) ? contexts : undefined
  const found = Object.entries({ cluster, user, context }) as [ForeignStanza['kind'], Stanza<unknown> | undefined][]
  return found.flatMap(([kind, stanza]) => (stanza ? [{ kind, file: stanza.file }] : []))
}

/** Returns which of the three stanzas with the cluster's name Proa wrote for this cluster. */
export function ownStanzas(config: Kubeconfig, owner: StanzaOwner) {
  const { clusters, users, contexts } = namedStanzas(config, owner)
  const isOurs = (stanza: Stanza<Partial<Marking>>) => markOf(stanza)?.dataDirectory === owner.dataDirectory
  const ownCluster = clusters !== undefined && (isOurs(clusters) || isOwnCluster(clusters, owner))
  return {
    clusters: ownCluster,
    users: users !== undefined && (isOurs(users) || isOwnUser(users, owner)),
    contexts: contexts !== undefined && (isOurs(contexts) || (ownCluster && isOwnContext(contexts, owner))),
  }
}

function namedStanzas({ clusters, users, contexts }: Kubeconfig, { name }: StanzaOwner) {
  return { clusters: clusters.get(name), users: users.get(name), contexts: contexts.get(name) }
}

function markOf({ settings }: Stanza<Partial<Marking>>): { readonly dataDirectory?: unknown } | undefined {
  return settings.extensions?.get(extensionName) as { readonly dataDirectory?: unknown } | undefined
}

function isMarked(stanza: Stanza<Partial<Marking>>): boolean {
  return markOf(stanza) !== undefined
}

/** Older versions of Proa wrote no mark. Their stanzas have a CA certificate of the cluster. */
function isOwnCluster({ settings }: Stanza<KubeconfigCluster>, { authorities }: StanzaOwner): boolean {
  const data = settings['certificate-authority-data']
  return data !== undefined && authorities.includes(decoded(data))
}

function isOwnUser({ settings }: Stanza<KubeconfigUser>, { authorities }: StanzaOwner): boolean {
  const data = settings['client-certificate-data']
  if (data === undefined) return false
  try {
    const certificate = new X509Certificate(decoded(data))
    return authorities.some((authority) => certificate.verify(new X509Certificate(authority).publicKey))
  } catch {
    return false // Proa writes only valid certificates
  }
}

/** A context belongs to Proa if its cluster does, which is checked separately. */
function isOwnContext({ settings }: Stanza<KubeconfigContext>, { name }: StanzaOwner): boolean {
  return settings.cluster === name
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}
