import { anonymous } from '../request/user.js'
import type { Authenticator } from './authenticator.js'

export const anonymousAuthenticator: Authenticator = {
  name: 'anonymous',
  isLastResort: true,
  authenticate: () => anonymous,
}
