import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import type { PodSecurityContext, SecurityContext } from '../../../api/core/v1/security-context.js'
import { testContainer, testPod } from '../pod.test.kit.js'
import { containerSecurity, sandboxSecurity, verifyNonRoot } from './security-context.js'

const root = { ref: 'sha256:1', uid: undefined, username: '' }
const seccomp = { profilesFolder: '/profiles', isDefault: false }

describe('a non-root container', () => {
  const whose = '(pod: "web_shop(u-1)", container: c)'
  const table: readonly (readonly [
    what: string,
    pod: PodSecurityContext,
    container: SecurityContext,
    image: { uid: number | undefined; username: string },
    message: string | undefined,
  ])[] = [
    ['may be root without runAsNonRoot', {}, {}, root, undefined],
    [
      'is rejected with an image without a user',
      { runAsNonRoot: true },
      {},
      root,
      `container has runAsNonRoot and image will run as root ${whose}`,
    ],
    [
      'is rejected with an image of root',
      {},
      { runAsNonRoot: true },
      { uid: 0, username: '' },
      `container has runAsNonRoot and image will run as root ${whose}`,
    ],
    [
      'is rejected with an image of a named user',
      { runAsNonRoot: true },
      {},
      { uid: undefined, username: 'app' },
      `container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root ${whose}`,
    ],
    ['runs with an image of a numeric user', { runAsNonRoot: true }, {}, { uid: 7, username: '' }, undefined],
    ['runs as the user of the pod', { runAsNonRoot: true, runAsUser: 7 }, {}, root, undefined],
    [
      'is rejected if it sets root',
      { runAsNonRoot: true, runAsUser: 7 },
      { runAsUser: 0 },
      root,
      `container's runAsUser breaks non-root policy ${whose}`,
    ],
    ['may be root if it overrides the pod', { runAsNonRoot: true }, { runAsNonRoot: false }, root, undefined],
  ]
  for (const [what, ofPod, ofContainer, image, message] of table)
    test(what, () => {
      const pod = testPod({ securityContext: ofPod })
      const verify = () => verifyNonRoot(pod, testContainer({ securityContext: ofContainer }), { ...root, ...image })
      if (message === undefined) verify()
      else assert.throws(verify, { message })
    })
})

describe('the security context of a container', () => {
  const secured = (spec: Partial<PodSpec>, securityContext?: SecurityContext, more = {}) =>
    containerSecurity({
      pod: testPod(spec),
      container: testContainer(securityContext ? { securityContext } : {}),
      image: root,
      targetId: undefined,
      seccomp,
      thermalPaths: ['/sys/devices/system/cpu/cpu0/thermal_throttle'],
      ...more,
    })

  test('has defaults', () => {
    const { maskedPaths, readonlyPaths, ...rest } = secured({})
    assert.deepEqual(rest, {
      runAsUser: { value: 0 },
      runAsUsername: '',
      runAsGroup: undefined,
      capabilities: undefined,
      privileged: false,
      selinuxOptions: undefined,
      readonlyRootfs: false,
      noNewPrivs: false,
      namespaceOptions: { network: 'POD', ipc: 'POD', pid: 'CONTAINER' },
      supplementalGroups: [],
      supplementalGroupsPolicy: 'Merge',
      seccomp: { profileType: 'Unconfined' },
      apparmor: undefined,
      apparmorProfile: '',
    })
    assert.equal(maskedPaths?.length, 13)
    assert.equal(maskedPaths.at(-1), '/sys/devices/system/cpu/cpu0/thermal_throttle')
    assert.deepEqual(readonlyPaths, ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'])
  })

  test('overrides that of the pod', () => {
    const context = secured(
      {
        securityContext: {
          runAsUser: 1,
          runAsGroup: 2,
          fsGroup: 2000,
          supplementalGroups: [4000],
          supplementalGroupsPolicy: 'Strict',
          seLinuxOptions: { level: 'pod' },
        },
      },
      {
        runAsUser: 5,
        seLinuxOptions: { level: 'own' },
        capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        privileged: true,
        procMount: 'Unmasked',
      },
    )
    assert.deepEqual(context.runAsUser, { value: 5 })
    assert.equal('runAsUsername' in context, false)
    assert.deepEqual(context.runAsGroup, { value: 2 })
    assert.deepEqual(context.supplementalGroups, [2000, 4000])
    assert.equal(context.supplementalGroupsPolicy, 'Strict')
    assert.deepEqual(context.selinuxOptions, { level: 'own' })
    assert.deepEqual(context.capabilities, { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] })
    assert.equal(context.readonlyRootfs, true)
    assert.equal(context.noNewPrivs, true)
    assert.equal(context.privileged, true)
    assert.deepEqual([context.maskedPaths, context.readonlyPaths], [[], []])
  })

  test('the image can set the user', () => {
    const image = { ref: 'x', uid: undefined, username: 'app' }
    const { runAsUser, runAsUsername } = secured({}, undefined, { image })
    assert.deepEqual([runAsUser, runAsUsername], [undefined, 'app'])
  })

  const namespaces: readonly (readonly [spec: Partial<PodSpec>, targetId: string | undefined, expected: object])[] = [
    [{ hostNetwork: true, hostIPC: true, hostPID: true }, undefined, { network: 'NODE', ipc: 'NODE', pid: 'NODE' }],
    [{ shareProcessNamespace: true }, undefined, { network: 'POD', ipc: 'POD', pid: 'POD' }],
    [{}, 'abc', { network: 'POD', ipc: 'POD', pid: 'TARGET', targetId: 'abc' }],
    [{ shareProcessNamespace: true }, 'abc', { network: 'POD', ipc: 'POD', pid: 'POD' }],
  ]
  for (const [spec, targetId, expected] of namespaces)
    test(`${JSON.stringify(spec)} toward ${targetId} shares ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(secured(spec, undefined, { targetId }).namespaceOptions, expected))

  test('user namespaces are rejected', () => {
    assert.throws(() => secured({ hostUsers: false }), {
      message: "can't set `spec.hostUsers: false`, runtime does not support user namespaces",
    })
  })

  test('seccomp: of the container, of the pod, or the default', () => {
    const ofPod = { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } } as const
    assert.deepEqual(secured(ofPod).seccomp, { profileType: 'RuntimeDefault' })
    assert.deepEqual(secured(ofPod, { seccompProfile: { type: 'Unconfined' } }).seccomp, { profileType: 'Unconfined' })
    const local = { seccompProfile: { type: 'Localhost', localhostProfile: 'a/b.json' } } as const
    assert.deepEqual(secured({}, local).seccomp, { profileType: 'Localhost', localhostRef: '/profiles/a/b.json' })
    const byDefault = secured({}, undefined, { seccomp: { ...seccomp, isDefault: true } })
    assert.deepEqual(byDefault.seccomp, { profileType: 'RuntimeDefault' })
    assert.throws(() => secured({}, { seccompProfile: { type: 'Localhost' } }), {
      message: 'localhostProfile must be set if seccompProfile type is Localhost.',
    })
  })

  test('AppArmor: of the container, of the annotation, of the pod', () => {
    const ofPod = { securityContext: { appArmorProfile: { type: 'Unconfined' } } } as const
    assert.equal(secured(ofPod).apparmorProfile, 'unconfined')
    const own = secured(ofPod, { appArmorProfile: { type: 'Localhost', localhostProfile: 'strict' } })
    assert.deepEqual(own.apparmor, { profileType: 'Localhost', localhostRef: 'strict' })
    assert.equal(own.apparmorProfile, 'localhost/strict')
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' }
    const annotated = secured({}, undefined, { pod: testPod(ofPod, { annotations }) })
    assert.equal(annotated.apparmorProfile, 'runtime/default')
  })
})

describe('the security context of a sandbox', () => {
  test('is that of the pod, with the runtime’s seccomp profile', () => {
    const pod = testPod({
      securityContext: { runAsUser: 1, runAsGroup: 2, fsGroup: 3, seccompProfile: { type: 'Unconfined' } },
    })
    assert.deepEqual(sandboxSecurity(pod), {
      privileged: false,
      seccomp: { profileType: 'RuntimeDefault' },
      runAsUser: { value: 1 },
      runAsGroup: { value: 2 },
      namespaceOptions: { network: 'POD', ipc: 'POD', pid: 'CONTAINER' },
      supplementalGroups: [3],
      supplementalGroupsPolicy: 'Merge',
      selinuxOptions: undefined,
    })
  })

  test('is privileged if any container is', () => {
    const privileged = testContainer({ securityContext: { privileged: true } })
    assert.equal(sandboxSecurity(testPod({ initContainers: [privileged] })).privileged, true)
    assert.equal(sandboxSecurity(testPod({ ephemeralContainers: [privileged] })).privileged, true)
  })
})
