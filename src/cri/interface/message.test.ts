import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { MalformedMessageError } from '../../base/protobuf/reader.js'
import { ContainerConfig, CriContainer, CriContainerStatus } from './container.js'
import { ContainerEventResponse } from './events.js'
import { AuthConfig, CriImage } from './image.js'
import { LinuxContainerResources } from './resources.js'
import { PodSandboxConfig, PodSandboxMetadata } from './sandbox-config.js'
import { LinuxSandboxSecurityContext, NamespaceOption } from './security.js'
import type { AnyCriMethod } from './service.js'
import { imageService, runtimeService } from './services.js'
import { PsiData } from './stats.js'
import { PortForwardRequest } from './streaming.js'
import { UInt64Value } from './values.js'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('a message on the wire', () => {
  test('has the bytes of protobuf', () => {
    assert.equal(
      hex(PodSandboxMetadata.encode({ name: 'web', uid: 'u1', namespace: 'default', attempt: 300 })),
      '0a03776562' + '12027531' + '1a0764656661756c74' + '20ac02',
    )
    assert.equal(hex(PsiData.encode({ Total: 1, Avg10: 0.5 })), '0801' + '11000000000000e03f')
  })

  test('omits zeros, and distinguishes an empty message from a missing one', () => {
    assert.equal(hex(PodSandboxConfig.encode({ hostname: '', labels: {}, portMappings: [] })), '')
    assert.equal(hex(PodSandboxConfig.encode({ metadata: {} })), '0a00')
    assert.deepEqual(PodSandboxConfig.decode(Buffer.from('0a00', 'hex')).metadata, PodSandboxMetadata.complete({}))
    assert.equal(PodSandboxConfig.decode(Buffer.alloc(0)).metadata, undefined)
  })

  test('has maps in key order, so that equal maps have equal bytes', () => {
    const one = PodSandboxConfig.encode({ labels: { b: '2', a: '1', c: '' } })
    assert.equal(hex(one), '3206' + '0a0161120131' + '3206' + '0a0162120132' + '3203' + '0a0163')
    assert.deepEqual(one, PodSandboxConfig.encode({ labels: { c: '', a: '1', b: '2' } }))
  })

  test('accepts any map key, also names that are special in JavaScript', () => {
    const labels = JSON.parse('{"__proto__": "x", "constructor": "y", "": "z"}')
    const { labels: read } = PodSandboxConfig.decode(PodSandboxConfig.encode({ labels }))
    assert.deepEqual(Object.entries(read).sort(), Object.entries(labels).sort())
  })

  test('encodes number lists packed, and decodes both forms', () => {
    assert.equal(hex(PortForwardRequest.encode({ port: [80, 300] })), '1203' + '50ac02')
    assert.deepEqual(PortForwardRequest.decode(Buffer.from('1050' + '10ac02', 'hex')).port, [80, 300])
  })

  test('keeps negative numbers, the largest sizes and the nanosecond of a time', () => {
    const resources = { cpuQuota: -1, oomScoreAdj: -997, memoryLimitInBytes: 2 ** 52 + 1 }
    const read = LinuxContainerResources.decode(LinuxContainerResources.encode(resources))
    assert.deepEqual({ ...read, ...resources }, read)
    assert.equal(UInt64Value.decode(UInt64Value.encode({ value: 2 ** 63 + 2 ** 20 })).value, 2 ** 63 + 2 ** 20)
    const createdAt = 1_767_225_600_123_456_789n
    assert.equal(CriContainer.decode(CriContainer.encode({ createdAt })).createdAt, createdAt)
    assert.equal(
      CriContainer.decode(CriContainer.encode({ createdAt: -62_135_596_800_000_000_000n })).createdAt < 0n,
      true,
    )
  })

  test('has names for enum values, and preserves unknown numbers', () => {
    assert.equal(hex(NamespaceOption.encode({ network: 'NODE', pid: 'CONTAINER' })), '0802' + '1001')
    const { network } = NamespaceOption.decode(Buffer.from('0807', 'hex'))
    assert.equal(network, '#7')
    assert.equal(hex(NamespaceOption.encode({ network })), '0807')
    assert.throws(() => NamespaceOption.encode({ network: 'HOST' as never }), TypeError)
  })

  test('may contain unknown fields of a newer runtime', () => {
    const later = Buffer.from('7a03776562' + '0a0131' + 'f80701' + '990600000000000000ff', 'hex')
    assert.equal(CriContainerStatus.decode(later).id, '1')
  })

  test('is rejected if it is truncated', () => {
    const whole = CriImage.encode({ id: 'sha256:1', repoTags: ['a', 'b'], spec: { image: 'x' } })
    for (const length of [1, 5, whole.length - 1])
      assert.throws(() => CriImage.decode(whole.subarray(0, length)), MalformedMessageError)
  })
})

describe('a message in memory', () => {
  test('has all strings, numbers, lists and maps after decoding', () => {
    const { id, exitCode, labels, mounts, createdAt, state, metadata } = CriContainerStatus.decode(Buffer.alloc(0))
    assert.deepEqual(
      { id, exitCode, labels, mounts, createdAt, state, metadata },
      {
        id: '',
        exitCode: 0,
        labels: {},
        mounts: [],
        createdAt: 0n,
        state: 'CONTAINER_CREATED',
        metadata: undefined,
      },
    )
  })

  test('is equal after completion and after a round trip over the wire', () => {
    const draft = fc.record(
      {
        metadata: fc.record({ name: fc.string(), attempt: fc.nat() }, { requiredKeys: [] }),
        image: fc.record({ image: fc.string(), annotations: fc.dictionary(fc.string(), fc.string()) }),
        command: fc.array(fc.string({ unit: 'binary' })),
        envs: fc.array(fc.record({ key: fc.string(), value: fc.uint8Array().map((bytes) => Buffer.from(bytes)) })),
        mounts: fc.array(
          fc.record(
            {
              containerPath: fc.string(),
              readonly: fc.boolean(),
              propagation: fc.constantFrom('PROPAGATION_PRIVATE', 'PROPAGATION_BIDIRECTIONAL'),
            },
            { requiredKeys: [] },
          ),
        ),
        linux: fc.record({
          resources: fc.record({ cpuQuota: fc.maxSafeInteger(), unified: fc.dictionary(fc.string(), fc.string()) }),
          securityContext: fc.record({
            runAsUser: fc.record({ value: fc.maxSafeNat() }),
            supplementalGroups: fc.array(fc.maxSafeInteger()),
          }),
        }),
        stopSignal: fc.constantFrom('RUNTIME_DEFAULT', 'SIGTERM', 'SIGRTMAX'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(draft, (value) => {
        assert.deepEqual(ContainerConfig.decode(ContainerConfig.encode(value)), ContainerConfig.complete(value))
      }),
    )
  })

  test('shares nothing with the partial message', () => {
    const labels = { app: 'web' }
    const [command, value] = [['sh'], Buffer.from('1')]
    const complete = ContainerConfig.complete({ labels, command, envs: [{ key: 'A', value }] })
    labels.app = 'other'
    command.push('-c')
    value[0] = 0
    assert.deepEqual(
      [complete.labels, complete.command, complete.envs[0]?.value.toString()],
      [{ app: 'web' }, ['sh'], '1'],
    )
  })
})

describe('the interface as a whole', () => {
  test('has the methods of the runtime service and the image service', () => {
    const named = (methods: object) => Object.values<AnyCriMethod>(methods as never).map(({ name }) => name)
    assert.equal(named(runtimeService.methods).length, 35)
    assert.equal(named(imageService.methods).length, 6)
    const streams = Object.values<AnyCriMethod>({ ...runtimeService.methods, ...imageService.methods } as never)
      .filter(({ kind }) => kind === 'stream')
      .map(({ name }) => name)
    assert.equal(streams.includes('GetContainerEvents'), true)
    assert.equal(streams.includes('RunPodSandbox'), false)
  })

  test('has the field numbers of the proto file, also where they are out of order', () => {
    assert.equal(hex(LinuxSandboxSecurityContext.encode({ runAsGroup: { value: 1 } })), '4202' + '0801')
    assert.equal(hex(AuthConfig.encode({ registryToken: 't' })), '3201' + '74')
    assert.equal(hex(ContainerEventResponse.encode({ containerEventType: 'CONTAINER_STOPPED_EVENT' })), '1002')
  })
})
