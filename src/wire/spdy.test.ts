import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Duplex, duplexPair } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { constants, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { SpdyConnection } from './spdy-connection.js'
import {
  controlFrame,
  dataFrame,
  fin,
  HeaderWriter,
  type SpdyFrame,
  spdyFrameTypes,
  takeFrames,
} from './spdy-frames.js'

describe('SPDY', () => {
  test('headers are one compressed stream whose blocks can be read one by one', () => {
    const writer = new HeaderWriter()
    const blocks = [writer.block({ streamType: 'stdin' }), writer.block({ streamtype: 'error', port: '80' })]
    const bytes = inflateSync(Buffer.concat(blocks), { finishFlush: constants.Z_SYNC_FLUSH })
    const first = inflateSync(blocks[0]!, { finishFlush: constants.Z_SYNC_FLUSH })
    assert.equal(first.toString('latin1'), '\0\0\0\x01\0\0\0\x0astreamtype\0\0\0\x05stdin')
    assert.equal(
      bytes.subarray(first.length).toString('latin1'),
      '\0\0\0\x02\0\0\0\x0astreamtype\0\0\0\x05error\0\0\0\x04port\0\0\0\x0280',
    )
  })

  test('frames are read back, in chunks of any size', () => {
    const payload = fc.uint8Array({ maxLength: 300 })
    const data = fc.record({ id: fc.integer({ min: 1, max: 99 }), flags: fc.nat(1), payload })
    fc.assert(
      fc.property(fc.array(data), fc.integer({ min: 1, max: 50 }), (frames, step) => {
        const bytes = Buffer.concat(
          frames.map(({ id, flags, payload }, index) =>
            index % 2 === 0 ? dataFrame(id, payload, flags) : controlFrame(id, payload, flags),
          ),
        )
        const taken: SpdyFrame[] = []
        let rest: Buffer = Buffer.alloc(0)
        for (let at = 0; at < bytes.length; at += step)
          rest = takeFrames(Buffer.concat([rest, bytes.subarray(at, at + step)]), (frame) => taken.push(frame))
        assert.equal(rest.length, 0)
        assert.deepEqual(
          taken.map((frame) => [frame.is === 'data' ? frame.streamId : frame.type, frame.flags, [...frame.payload]]),
          frames.map(({ id, flags, payload }) => [id, flags, [...payload]]),
        )
      }),
    )
  })
})

/** The other end of a connection, which notes what it gets. */
class Peer {
  readonly socket: Duplex
  readonly frames: SpdyFrame[] = []
  #rest: Buffer = Buffer.alloc(0)

  constructor(socket: Duplex) {
    this.socket = socket
    socket.on('data', (bytes: Buffer) => {
      this.#rest = takeFrames(Buffer.concat([this.#rest, bytes]), (frame) => this.frames.push(frame))
    })
  }

  /** `1:data`, with a dot where that was the end; `syn` and the like. */
  get story(): string {
    const names = Object.fromEntries(Object.entries(spdyFrameTypes).map(([name, type]) => [type, name]))
    return this.frames
      .map((frame) =>
        frame.is === 'data'
          ? `${frame.streamId}:${frame.payload}${frame.flags & fin ? '.' : ''}`
          : `${names[frame.type]} ${frame.payload.readUInt32BE()}`,
      )
      .join(', ')
  }
}

function connected(): { readonly connection: SpdyConnection; readonly peer: Peer } {
  const [here, there] = duplexPair()
  return { connection: new SpdyConnection(here), peer: new Peer(there) }
}

describe('a SPDY connection', () => {
  test('has several streams, which each side can end', async () => {
    const { connection, peer } = connected()
    const [one, other] = [connection.open({ streamtype: 'error' }), connection.open({ streamtype: 'data' })]
    one.end()
    other.end('question')
    const answers = [text(one), text(other)]
    peer.socket.write(Buffer.concat([dataFrame(3, Buffer.from('ans')), dataFrame(1, Buffer.alloc(0), fin)]))
    peer.socket.write(dataFrame(3, Buffer.from('wer'), fin))
    assert.deepEqual(await Promise.all(answers), ['', 'answer'])
    assert.equal(peer.story, 'synStream 1, synStream 3, 1:., 3:question, 3:.')
  })

  test('destroying a stream resets it, and a stream that the peer resets ends', async () => {
    const { connection, peer } = connected()
    const [one, other] = [connection.open({}), connection.open({})]
    one.destroy()
    await once(one, 'close')
    other.setEncoding('utf8')
    peer.socket.write(dataFrame(3, Buffer.from('so far')))
    peer.socket.write(controlFrame(spdyFrameTypes.rstStream, Buffer.from([0, 0, 0, 3, 0, 0, 0, 5])))
    const [told] = await once(other, 'data')
    assert.equal(told, 'so far')
    if (!other.readableEnded) await once(other, 'end')
    other.end('nobody hears this')
    await once(other, 'close')
    assert.equal(peer.story, 'synStream 1, synStream 3, rstStream 1')
  })

  test('long writes are split into several frames', async () => {
    const { connection, peer } = connected()
    const bytes = Buffer.alloc(200_000, 'abcdefg')
    connection.open({}).end(bytes)
    await new Promise(setImmediate)
    const data = peer.frames.filter((frame) => frame.is === 'data')
    assert.deepEqual(
      data.map(({ payload }) => payload.length),
      [65_536, 65_536, 65_536, 3392, 0],
    )
    assert.ok(Buffer.concat(data.map(({ payload }) => payload)).equals(bytes))
  })

  test('nothing is read while a stream has a slow reader, and everything afterwards', async () => {
    const { connection, peer } = connected()
    const slow = connection.open({})
    let isTaken = false
    const much = dataFrame(1, Buffer.alloc(3 << 20))
    for (const bytes of [much, much]) peer.socket.write(bytes)
    peer.socket.write(dataFrame(1, Buffer.from('last'), fin), () => {
      isTaken = true
    })
    await new Promise(setImmediate)
    assert.equal(isTaken, false)
    assert.equal((await buffer(slow)).length, (6 << 20) + 4)
    assert.equal(isTaken, true)
  })

  test('responds to pings, and its streams end with it', async () => {
    const { connection, peer } = connected()
    const stream = connection.open({})
    peer.socket.write(controlFrame(spdyFrameTypes.ping, Buffer.from([0, 0, 0, 8])))
    await new Promise(setImmediate)
    assert.equal(peer.story, 'synStream 1, ping 8')
    peer.socket.write(controlFrame(spdyFrameTypes.goAway, Buffer.alloc(8)))
    await connection.closed
    assert.ok(stream.destroyed && connection.open({}).destroyed)
  })
})
