import type { EnvFromSource, EnvVar, ResourceFieldSelector } from '../../../api/core/v1/container/env.js'
import type { EphemeralContainer } from '../../../api/core/v1/container/ephemeral-container.js'
import type { Container } from '../../../api/core/v1/container.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { DescriptionPage } from '../page.js'
import { noneText } from '../text.js'

type AnyContainer = Container | EphemeralContainer

/** Returns the value of a pod field; '' if unknown here. */
export type FieldValue = (path: string) => string

export function writeEnvironmentSources(page: DescriptionPage, sources: readonly EnvFromSource[] = []): void {
  if (sources.length === 0) return
  page.line(2, 'Environment Variables from:')
  for (const { configMapRef, secretRef, prefix = '' } of sources) {
    const { name = '', optional = false } = configMapRef ?? secretRef ?? {}
    const from = configMapRef ? 'ConfigMap' : secretRef ? 'Secret' : ''
    page.line(3, name, prefix === '' ? from : `${from} with prefix '${prefix}'`, `Optional: ${optional}`)
  }
}

export function writeEnvironment(
  page: DescriptionPage,
  container: AnyContainer,
  fieldValue: FieldValue = () => '',
): void {
  const { env = [] } = container
  page.line(2, `Environment:${env.length === 0 ? `\t${noneText}` : ''}`)
  for (const variable of env)
    if (variable.valueFrom) writeReference(page, variable, container, fieldValue)
    else {
      const [first = '', ...others] = (variable.value ?? '').split('\n')
      page.field(variable.name, first, 3)
      for (const line of others) page.line(3, '', line)
    }
}

function writeReference(
  page: DescriptionPage,
  { name, valueFrom }: EnvVar,
  container: AnyContainer,
  fieldValue: FieldValue,
): void {
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom!
  if (fieldRef)
    page.field(name, `${fieldValue(fieldRef.fieldPath)} (${fieldRef.apiVersion ?? ''}:${fieldRef.fieldPath})`, 3)
  else if (resourceFieldRef)
    page.field(name, `${resourceText(resourceFieldRef, container)} (${resourceFieldRef.resource})`, 3)
  else if (secretKeyRef)
    page.line(
      3,
      `${name}:`,
      `<set to the key '${secretKeyRef.key}' in secret '${secretKeyRef.name ?? ''}'>`,
      `Optional: ${secretKeyRef.optional ?? false}`,
    )
  else if (configMapKeyRef)
    page.line(
      3,
      `${name}:`,
      `<set to the key '${configMapKeyRef.key}' of config map '${configMapKeyRef.name ?? ''}'>`,
      `Optional: ${configMapKeyRef.optional ?? false}`,
    )
}

const whole = ['limits.cpu', 'limits.memory']

/** Without a limit, the value is the capacity of the node. */
function resourceText({ resource, divisor = '1' }: ResourceFieldSelector, { resources }: AnyContainer): string {
  const [kind, ...rest] = resource.split('.')
  const name = rest.join('.')
  const amounts = kind === 'limits' ? resources?.limits : kind === 'requests' ? resources?.requests : undefined
  const amount = Quantity.parse(amounts?.[name] ?? '0')
  const unit = Quantity.parse(divisor === '0' ? '1' : divisor)
  const text = name === 'cpu' ? ratio(amount.milliValue(), unit.milliValue()) : ratio(amount.value(), unit.value())
  return text === '0' && whole.includes(resource) ? 'node allocatable' : text
}

function ratio(amount: number, unit: number): string {
  return String(Math.ceil(amount / unit))
}
