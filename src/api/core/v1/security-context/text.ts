import type { JsonValue } from '../../../../schema/declaration.js'
import type { SecurityContext } from '../security-context.js'

/** A security context as messages show it: every field in this order, under names that appear nowhere else. */
export function shownSecurityContext(security: SecurityContext): JsonValue {
  return {
    Capabilities: shown(security.capabilities, ({ add = null, drop = null }) => ({ Add: add, Drop: drop })),
    Privileged: security.privileged ?? null,
    SELinuxOptions: shown(security.seLinuxOptions, ({ user = '', role = '', type = '', level = '' }) => ({
      User: user,
      Role: role,
      Type: type,
      Level: level,
    })),
    WindowsOptions: shown(security.windowsOptions, (options) => ({
      GMSACredentialSpecName: options.gmsaCredentialSpecName ?? null,
      GMSACredentialSpec: options.gmsaCredentialSpec ?? null,
      RunAsUserName: options.runAsUserName ?? null,
      HostProcess: options.hostProcess ?? null,
    })),
    RunAsUser: security.runAsUser ?? null,
    RunAsGroup: security.runAsGroup ?? null,
    RunAsNonRoot: security.runAsNonRoot ?? null,
    ReadOnlyRootFilesystem: security.readOnlyRootFilesystem ?? null,
    AllowPrivilegeEscalation: security.allowPrivilegeEscalation ?? null,
    ProcMount: security.procMount ?? null,
    SeccompProfile: shown(security.seccompProfile, shownProfile),
    AppArmorProfile: shown(security.appArmorProfile, shownProfile),
  }
}

function shown<T>(part: T | undefined, show: (part: T) => JsonValue): JsonValue {
  return part === undefined ? null : show(part)
}

function shownProfile({ type, localhostProfile }: { readonly type: string; readonly localhostProfile?: string }) {
  return { Type: type, LocalhostProfile: localhostProfile ?? null }
}
