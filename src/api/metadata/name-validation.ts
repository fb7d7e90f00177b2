import {
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  type Messages,
  pathSegment,
  pathSegmentPrefix,
} from '../../schema/names.js'

/**
 * Validates the name of an object; each kind has such a function. `isPrefix` is true for `generateName`, to which a suffix will be
 * appended.
 */
export type NameRule = (name: string, isPrefix: boolean) => Messages

/** Names of most kinds: `web.example`. */
export const subdomainName: NameRule = (name, isPrefix) => dnsSubdomain(isPrefix ? withoutTrailingDash(name) : name)

/** Names of namespaces. */
export const labelName: NameRule = (name, isPrefix) => dnsLabel(isPrefix ? withoutTrailingDash(name) : name)

/** Names of services: labels that start with a letter. */
export const dns1035Name: NameRule = (name, isPrefix) => dns1035Label(isPrefix ? withoutTrailingDash(name) : name)

/** Names of roles and bindings: any segment of a path. */
export const pathSegmentName: NameRule = (name, isPrefix) => (isPrefix ? pathSegmentPrefix(name) : pathSegment(name))

/** A prefix may end in a dash, as most do. It is validated one character shorter, with a letter in place of the dash. */
function withoutTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix
}
