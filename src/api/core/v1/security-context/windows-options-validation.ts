import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import type { WindowsSecurityContextOptions } from '../security-context.js'

/** Validates the options for Windows. */
export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  path: FieldPath,
): readonly FieldError[] {
  if (!options) return field.none
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options
  const errors: FieldError[] = []
  if (gmsaCredentialSpecName !== undefined) {
    const at = path.child('gmsaCredentialSpecName')
    errors.push(...field.invalidForEach(at, gmsaCredentialSpecName, dnsSubdomain(gmsaCredentialSpecName)))
  }
  if (gmsaCredentialSpec !== undefined) {
    const at = path.child('gmsaCredentialSpec')
    errors.push(...field.invalidForEach(at, gmsaCredentialSpec, credentialMessages(gmsaCredentialSpec)))
  }
  if (runAsUserName !== undefined)
    errors.push(...field.invalidForEach(path.child('runAsUserName'), runAsUserName, userMessages(runAsUserName)))
  return errors
}

const largestCredentialKiB = 64

function credentialMessages(credential: string): readonly string[] {
  const size = Buffer.byteLength(credential)
  if (size === 0) return ['gmsaCredentialSpec cannot be an empty string']
  const isTooLarge = size > largestCredentialKiB * 1024
  return isTooLarge ? [`gmsaCredentialSpec size must be under ${largestCredentialKiB} KiB`] : []
}

/** `DOMAIN\user`, or the user alone. */
function userMessages(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string']
  if (hasControlCharacter(name)) return ['runAsUserName cannot contain control characters']
  const parts = name.split('\\')
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const [domain, user] = parts.length === 2 ? [parts[0]!, parts[1]!] : [undefined, parts[0]!]
  return [...(domain === undefined ? [] : domainMessages(domain)), ...accountMessages(user)]
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x20 || text.charCodeAt(i) === 0x7f) return true
  return false
}

const longestDomain = 256
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u
const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const dnsName = new RegExp(`^${label}(?:\\.${label})*$`)

function domainMessages(domain: string): readonly string[] {
  const messages: string[] = []
  if (Buffer.byteLength(domain) >= longestDomain)
    messages.push(`runAsUserName's Domain length must be under ${longestDomain} characters`)
  if (!netBios.test(domain) && !dnsName.test(domain))
    messages.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format")
  return messages
}

const longestUser = 104

function accountMessages(user: string): readonly string[] {
  const messages: string[] = []
  if (user === '') messages.push("runAsUserName's User cannot be empty")
  if (Buffer.byteLength(user) > longestUser)
    messages.push(`runAsUserName's User length must not be longer than ${longestUser} characters`)
  if (/^[. ]+$/.test(user)) messages.push("runAsUserName's User cannot contain only periods or spaces")
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    messages.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]')
  return messages
}
