import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { PodSpec } from '../pod/spec.js'
import type { PodSecurityContext, SecurityContext } from '../security-context.js'
import { validatePodSecurityContext, validateSecurityContext } from './validation.js'

const ofContainer = (security: SecurityContext, context = {}) =>
  validateSecurityContext(security, fieldPath('s'), { allowPrivileged: true, hostUsers: true, ...context }).map(String)

const ids = 'must be between 0 and 2147483647, inclusive'

describe('the security context of a container', () => {
  test('may be complete or empty', () => {
    assert.deepEqual(
      validateSecurityContext(undefined, fieldPath('s'), { allowPrivileged: false, hostUsers: true }),
      [],
    )
    assert.deepEqual(
      ofContainer({
        privileged: true,
        runAsUser: 0,
        runAsGroup: 2147483647,
        procMount: 'Default',
        allowPrivilegeEscalation: true,
        capabilities: { add: ['CAP_SYS_ADMIN'] },
        seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/a.json' },
        appArmorProfile: { type: 'Localhost', localhostProfile: 'k8s-apparmor' },
      }),
      [],
    )
  })

  test('is privileged only where the cluster allows it', () => {
    const privileged = { privileged: true }
    assert.deepEqual(ofContainer(privileged), [])
    assert.deepEqual(ofContainer({ privileged: false }, { allowPrivileged: false }), [])
    assert.deepEqual(ofContainer(privileged, { allowPrivileged: false }), [
      's.privileged: Forbidden: disallowed by cluster policy',
    ])
  })

  test('names users and groups that exist', () =>
    assert.deepEqual(ofContainer({ runAsUser: -1, runAsGroup: 2 ** 31 }), [
      `s.runAsUser: Invalid value: -1: ${ids}`,
      `s.runAsGroup: Invalid value: 2147483648: ${ids}`,
    ]))

  test('shows all of /proc only to users who are not those of the host', () => {
    assert.deepEqual(ofContainer({ procMount: 'Unmasked' }, { hostUsers: false }), [])
    assert.deepEqual(ofContainer({ procMount: 'Unmasked' }), [
      's.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    ])
    assert.deepEqual(ofContainer({ procMount: 'Half' as never }), [
      's.procMount: Unsupported value: "Half": supported values: "Default", "Unmasked"',
    ])
  })

  test('cannot forbid escalation for privileged containers; the error contains all of it', () =>
    assert.deepEqual(
      ofContainer({
        allowPrivilegeEscalation: false,
        privileged: true,
        capabilities: { add: ['CAP_SYS_ADMIN'] },
        seLinuxOptions: { level: 's0' },
        windowsOptions: { hostProcess: false },
        seccompProfile: { type: 'Unconfined' },
      }),
      ['`privileged` to true', '`capabilities.Add` CAP_SYS_ADMIN'].map(
        (what) =>
          `s: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":true,"SELinuxOptions":{"User":"","Role":"","Type":"","Level":"s0"},"WindowsOptions":{"GMSACredentialSpecName":null,"GMSACredentialSpec":null,"RunAsUserName":null,"HostProcess":false},"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":{"Type":"Unconfined","LocalhostProfile":null},"AppArmorProfile":null}: cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
      ),
    ))
})

describe('profiles', () => {
  const seccomp = (type: string, localhostProfile?: string) =>
    ofContainer({
      seccompProfile: { type: type as never, ...(localhostProfile !== undefined && { localhostProfile }) },
    })
  const appArmor = (type: string, localhostProfile?: string) =>
    ofContainer({
      appArmorProfile: { type: type as never, ...(localhostProfile !== undefined && { localhostProfile }) },
    })
  const types = 'supported values: "Localhost", "RuntimeDefault", "Unconfined"'

  test('of seccomp are files below a folder of the node', () => {
    assert.deepEqual(seccomp('RuntimeDefault'), [])
    assert.deepEqual(seccomp(''), [
      's.seccompProfile.type: Required value: type is required when seccompProfile is set',
    ])
    assert.deepEqual(seccomp('Mine'), [`s.seccompProfile.type: Unsupported value: "Mine": ${types}`])
    assert.deepEqual(seccomp('Localhost'), [
      's.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
    ])
    assert.deepEqual(seccomp('Unconfined', 'x'), [
      's.seccompProfile.localhostProfile: Invalid value: {"Type":"Unconfined","LocalhostProfile":"x"}: can only be set when seccomp type is Localhost',
    ])
    assert.deepEqual(seccomp('Localhost', '/etc/../x'), [
      's.seccompProfile.localhostProfile: Invalid value: "/etc/../x": must be a relative path',
      's.seccompProfile.localhostProfile: Invalid value: "/etc/../x": must not contain \'..\'',
    ])
  })

  test('of AppArmor have names', () => {
    const required = 's.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost'
    assert.deepEqual(appArmor('Unconfined'), [])
    assert.deepEqual(appArmor(''), [
      's.appArmorProfile.type: Required value: type is required when appArmorProfile is set',
    ])
    assert.deepEqual(appArmor('Mine', 'x'), [`s.appArmorProfile.type: Unsupported value: "Mine": ${types}`])
    assert.deepEqual(appArmor('Localhost'), [required])
    assert.deepEqual(appArmor('Localhost', ''), [required])
    assert.deepEqual(appArmor('Localhost', ' x'), [
      's.appArmorProfile.localhostProfile: Invalid value: " x": must not be padded with whitespace',
    ])
    assert.deepEqual(appArmor('Localhost', 'x'.repeat(4096)), [
      's.appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes',
    ])
    assert.deepEqual(appArmor('RuntimeDefault', 'x'), [
      's.appArmorProfile.localhostProfile: Invalid value: "x": can only be set when AppArmor type is Localhost',
    ])
  })
})

describe('options for Windows', () => {
  const user = (runAsUserName: string) =>
    ofContainer({ windowsOptions: { runAsUserName } }).map((error) => error.slice(error.lastIndexOf(': ') + 2))

  test('name credentials', () => {
    assert.deepEqual(ofContainer({ windowsOptions: { gmsaCredentialSpecName: 'web', gmsaCredentialSpec: '{}' } }), [])
    assert.match(ofContainer({ windowsOptions: { gmsaCredentialSpecName: 'Web' } })[0]!, /gmsaCredentialSpecName: Inv/)
    assert.deepEqual(ofContainer({ windowsOptions: { gmsaCredentialSpec: '' } }), [
      's.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
    ])
    assert.match(
      ofContainer({ windowsOptions: { gmsaCredentialSpec: 'x'.repeat(65537) } })[0]!,
      /gmsaCredentialSpec size must be under 64 KiB$/,
    )
  })

  test('name users as Windows does', () => {
    for (const name of ['user', 'DOMAIN\\user', 'my.domain.example\\user', 'NT AUTHORITY\\SYSTEM'])
      assert.deepEqual(user(name), [], name)
    assert.deepEqual(user(''), ['runAsUserName cannot be an empty string'])
    assert.deepEqual(user('a\tb'), ['runAsUserName cannot contain control characters'])
    assert.deepEqual(user('a\\b\\c'), ['runAsUserName cannot contain more than one backslash'])
    assert.deepEqual(user('do:main\\user'), ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"])
    assert.deepEqual(user(`${'a'.repeat(63)}${'.a'.repeat(97)}\\user`), [
      "runAsUserName's Domain length must be under 256 characters",
    ])
    assert.deepEqual(user('\\'), [
      "runAsUserName's Domain doesn't match the NetBios nor the DNS format",
      "runAsUserName's User cannot be empty",
    ])
    assert.deepEqual(user('x'.repeat(105)), ["runAsUserName's User length must not be longer than 104 characters"])
    assert.deepEqual(user('. .'), ["runAsUserName's User cannot contain only periods or spaces"])
    assert.equal(
      ofContainer({ windowsOptions: { runAsUserName: 'a@b' } })[0],
      's.windowsOptions.runAsUserName: Invalid value: "a@b": runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
    )
  })
})

describe('the security context of a pod', () => {
  const ofPod = (securityContext: PodSecurityContext, spec: Partial<PodSpec> = {}, old?: Partial<PodSpec>) =>
    validatePodSecurityContext({ containers: [], securityContext, ...spec }, fieldPath('spec'), {
      old: old && { containers: [], ...old },
    }).map((error) => String(error).replace('spec.securityContext.', ''))

  test('is checked field by field', () => {
    assert.deepEqual(validatePodSecurityContext({ containers: [] }, fieldPath('spec'), {}), [])
    assert.deepEqual(
      ofPod(
        {
          seLinuxChangePolicy: 'Never',
          supplementalGroupsPolicy: 'Maybe' as never,
          appArmorProfile: { type: 'Localhost' },
          windowsOptions: { runAsUserName: '' },
          seccompProfile: { type: 'Localhost' },
          fsGroupChangePolicy: 'Maybe' as never,
          sysctls: [{ name: '', value: '' }],
          supplementalGroups: [1, -1],
          runAsGroup: -2,
          runAsUser: -3,
          fsGroup: -4,
        },
        { hostPID: true, shareProcessNamespace: true },
      ),
      [
        `fsGroup: Invalid value: -4: ${ids}`,
        `runAsUser: Invalid value: -3: ${ids}`,
        `runAsGroup: Invalid value: -2: ${ids}`,
        `supplementalGroups[1]: Invalid value: -1: ${ids}`,
        'shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
        'sysctls[0].name: Required value',
        'fsGroupChangePolicy: Unsupported value: "Maybe": supported values: "Always", "OnRootMismatch"',
        'seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
        'windowsOptions.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string',
        'appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
        'supplementalGroupsPolicy: Unsupported value: "Maybe": supported values: "Merge", "Strict"',
        'seLinuxChangePolicy: Unsupported value: "Never": supported values: "Recursive"',
      ],
    )
  })

  test('labels volumes by mounting them only if it did before', () => {
    const mount = { seLinuxChangePolicy: 'MountOption' }
    assert.equal(ofPod(mount).length, 1)
    assert.deepEqual(ofPod(mount, {}, { securityContext: { seLinuxChangePolicy: 'Recursive' } }), [])
  })

  test('has kernel parameters with good names, each once', () =>
    assert.deepEqual(
      ofPod({
        sysctls: ['kernel.shm_rmid_forced', 'no spaces', 'net/ipv4/ip.x', 'kernel.shm_rmid_forced'].map((name) => ({
          name,
          value: '1',
        })),
      }),
      [
        'sysctls[1].name: Invalid value: "no spaces": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
        'sysctls[3].name: Duplicate value: "kernel.shm_rmid_forced"',
      ],
    ))

  test('does not change parameters that it shares with the host, unless it did before', () => {
    const securityContext = {
      sysctls: ['net/core/somaxconn', 'kernel.sem', 'fs.mqueue.x'].map((name) => ({ name, value: '1' })),
    }
    const shared = { hostNetwork: true, hostIPC: true }
    assert.deepEqual(ofPod(securityContext), [])
    assert.deepEqual(ofPod(securityContext, shared), [
      'sysctls[0].name: Invalid value: "net/core/somaxconn": may not be specified when \'hostNetwork\' is true',
      'sysctls[1].name: Invalid value: "kernel.sem": may not be specified when \'hostIPC\' is true',
      'sysctls[2].name: Invalid value: "fs.mqueue.x": may not be specified when \'hostIPC\' is true',
    ])
    assert.deepEqual(ofPod(securityContext, shared, { ...shared, securityContext }), [])
  })
})
