/** The user that makes a request, as authorization, admission, audit and the strategies of kinds see it. */
export interface RequestUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

export const anonymous: RequestUser = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
}
