import { MalformedMessageError, WireReader } from '../base/protobuf/reader.js'
import { WireWriter } from '../base/protobuf/writer.js'

export const protobufType = 'application/vnd.kubernetes.protobuf'

/** The first bytes of API objects in protobuf, which identify them: `k8s` and a zero. */
const prefix = Buffer.from('k8s\0')

/** The envelope of an object in protobuf: its kind and its message. */
export interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly message: Uint8Array
}

/** Throws `MalformedMessageError` if there is no envelope. */
export function openEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new MalformedMessageError('empty data')
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!data.subarray(0, prefix.length).equals(prefix))
    throw new MalformedMessageError(
      `provided data does not appear to be a protobuf message, expected prefix [${[...prefix].join(' ')}]`,
    )
  if (data.length === prefix.length) throw new MalformedMessageError('empty body')
  return readEnvelope(new WireReader(data.subarray(prefix.length)))
}

function readEnvelope(reader: WireReader): Envelope {
  let typeMeta = { apiVersion: '', kind: '' }
  let message: Uint8Array = new Uint8Array(0)
  while (reader.next()) {
    if (reader.field === 1) typeMeta = readTypeMeta(reader)
    else if (reader.field === 2) message = reader.bytes()
    else reader.skip()
  }
  return { ...typeMeta, message }
}

function readTypeMeta(reader: WireReader): { apiVersion: string; kind: string } {
  const outer = reader.enter()
  const found = { apiVersion: '', kind: '' }
  while (reader.next()) {
    if (reader.field === 1) found.apiVersion = reader.text()
    else if (reader.field === 2) found.kind = reader.text()
    else reader.skip()
  }
  reader.leave(outer)
  return found
}

/** Encodes an object in its envelope: alone, or in a watch event. */
export function inEnvelope({ message, ...typeMeta }: Envelope): Buffer {
  return Buffer.concat(envelopeParts(typeMeta, [message]))
}

/** Encodes the envelope around a message that consists of several parts, without copying them. */
export function envelopeParts(
  { apiVersion, kind }: Omit<Envelope, 'message'>,
  message: readonly Uint8Array[],
): Uint8Array[] {
  const length = message.reduce((sum, piece) => sum + piece.length, 0)
  const writer = new WireWriter(64 + 2 * (apiVersion.length + kind.length))
  writer.messageAhead(2, length)
  const before = writer.written
  writer.text(2, kind)
  writer.text(1, apiVersion)
  writer.message(1, before)
  writer.raw(prefix)
  return [writer.finish(), ...message, end]
}

/** Content encoding and content type, which are always empty. */
const end = Buffer.from([0x1a, 0, 0x22, 0])
