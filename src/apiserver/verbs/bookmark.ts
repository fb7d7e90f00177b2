import type { KubeObject } from '../../api/kube-object.js'
import type { ServedKind } from '../../schema/scheme.js'
import { zeroObject } from '../../schema/zero.js'
import { EncodedOnce, type WatchEvent } from '../answer.js'

/** How far a watch has come: an object of which nothing is set but the resource version. */
export function bookmark(
  type: ServedKind,
  revision: number,
  annotations?: Readonly<Record<string, string>>,
): WatchEvent {
  const { kind, apiVersion } = type.kind
  const metadata = { resourceVersion: `${revision}`, ...(annotations && { annotations }) }
  const { metadata: _, ...zero } = zeroObject(type)
  const object: KubeObject = { kind, apiVersion, metadata, ...zero }
  return { type: 'BOOKMARK', object: new EncodedOnce(object) }
}
