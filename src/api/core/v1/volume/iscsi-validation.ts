import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { inRange } from '../../../../schema/identifiers.js'
import { checkRequired } from '../../../validation/required-fields.js'
import type { ISCSIPersistentVolumeSource } from '../persistent-volume/drivers.js'
import type { ISCSIVolumeSource } from './drivers.js'

/** The formats of iSCSI names by naming authority. */
const nameFormats: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
}

/** The message for pods lists the prefixes, the one for persistent volumes does not. */
const unknownAuthority = { pod: 'must be valid format starting with iqn, eui, or naa', volume: 'must be valid format' }

function nameProblem(name: string, holder: keyof typeof unknownAuthority): string | undefined {
  const format = nameFormats[name.slice(0, 3)]
  if (!format) return unknownAuthority[holder]
  return format.test(name) ? undefined : 'must be valid format'
}

function checkIqn(iqn: string, holder: keyof typeof unknownAuthority, path: FieldPath, errors: FieldError[]): void {
  const problem = iqn === '' ? undefined : nameProblem(iqn, holder)
  if (iqn === '') errors.push(field.required(path))
  else if (problem) errors.push(field.invalid(path, iqn, problem))
}

function checkInitiator(
  initiator: string | undefined,
  holder: keyof typeof unknownAuthority,
  path: FieldPath,
  errors: FieldError[],
): void {
  const problem = initiator === undefined ? undefined : nameProblem(initiator, holder)
  if (problem) errors.push(field.invalid(path.child('initiatorname'), initiator, problem))
}

function checkLunAndSecret(
  iscsi: ISCSIVolumeSource | ISCSIPersistentVolumeSource,
  path: FieldPath,
  errors: FieldError[],
): void {
  errors.push(...field.invalidForEach(path.child('lun'), iscsi.lun, inRange(iscsi.lun, 0, 255)))
  if ((iscsi.chapAuthDiscovery || iscsi.chapAuthSession) && !iscsi.secretRef)
    errors.push(field.required(path.child('secretRef')))
}

export function checkIscsi(iscsi: ISCSIVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(iscsi, ['targetPortal'], path, errors)
  checkIqn(iscsi.iqn, 'pod', path.child('iqn'), errors)
  checkLunAndSecret(iscsi, path, errors)
  checkInitiator(iscsi.initiatorName, 'pod', path, errors)
}

/** `name` is the name of the persistent volume. */
export function checkPersistentIscsi(
  iscsi: ISCSIPersistentVolumeSource,
  path: FieldPath,
  errors: FieldError[],
  name: string,
): void {
  checkRequired(iscsi, ['targetPortal'], path, errors)
  if (isSessionNameTooLong(iscsi, name))
    errors.push(field.invalid(path.child('targetportal'), iscsi.targetPortal, sessionNameTooLong))
  checkIqn(iscsi.iqn, 'volume', path.child('iqn'), errors)
  checkLunAndSecret(iscsi, path, errors)
  if (iscsi.secretRef) checkRequired(iscsi.secretRef, ['name'], path.child('secretRef'), errors)
  checkInitiator(iscsi.initiatorName, 'volume', path, errors)
}

export const sessionNameTooLong =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'

/** A session with a custom initiator is named after the volume and the portal. */
export function isSessionNameTooLong(
  { initiatorName, targetPortal }: ISCSIVolumeSource | ISCSIPersistentVolumeSource,
  volume: string,
): boolean {
  return initiatorName !== undefined && Buffer.byteLength(`${volume}:${targetPortal}`) > 64
}
