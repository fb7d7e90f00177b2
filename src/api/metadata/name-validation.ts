import {
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  type Messages,
  pathSegment,
  pathSegmentPrefix,
} from '../../schema/names.js'

/**
 * What is wrong with the name of an object; each kind has such a rule. `isPrefix` is set for `generateName`, to which
 * something will be appended.
 */
export type NameRule = (name: string, isPrefix: boolean) => Messages

/** Of most kinds: `web.example`. */
export const subdomainName: NameRule = (name, isPrefix) => dnsSubdomain(isPrefix ? withoutTrailingDash(name) : name)

/** Of namespaces. */
export const labelName: NameRule = (name, isPrefix) => dnsLabel(isPrefix ? withoutTrailingDash(name) : name)

/** Of services: a label that begins with a letter. */
export const dns1035Name: NameRule = (name, isPrefix) => dns1035Label(isPrefix ? withoutTrailingDash(name) : name)

/** Of roles and bindings: anything that can stand in a path. */
export const pathSegmentName: NameRule = (name, isPrefix) => (isPrefix ? pathSegmentPrefix(name) : pathSegment(name))

/** A prefix may end in a dash, and most do. It is checked as if something followed, one character shorter than it is. */
function withoutTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix
}
