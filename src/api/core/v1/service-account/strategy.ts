import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { ServiceAccount } from '../service-account.js'

const enforceMountableSecrets = 'kubernetes.io/enforce-mountable-secrets'
const warning = `${fieldPath('metadata', 'annotations').key(enforceMountableSecrets)}: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`

export const serviceAccountStrategy = declareStrategy<ServiceAccount>(ServiceAccount, {
  prepareCreate: nameSecrets,
  prepareUpdate: nameSecrets,
  validate: () => field.none,
  warnings({ metadata }, old) {
    const isNew = old?.metadata.annotations?.[enforceMountableSecrets] === undefined
    return isNew && metadata.annotations?.[enforceMountableSecrets] !== undefined ? [warning] : []
  },
  updatedUnconditionally: false,
})

/** Keeps only the names of secret references, because the secrets are in the namespace of the account. */
function nameSecrets(draft: Draft<ServiceAccount>): void {
  if (draft.secrets) draft.secrets = draft.secrets.map(({ name = '' }) => ({ name }))
}
