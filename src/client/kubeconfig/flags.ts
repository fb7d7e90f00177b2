/** Flags about server and user. They override the files. Names are those of kubectl's flags. */
export interface ConnectionFlags {
  readonly context?: string
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
  readonly server?: string
  readonly 'tls-server-name'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'certificate-authority'?: string
  readonly 'proxy-url'?: string
  readonly 'disable-compression'?: boolean
  readonly 'client-certificate'?: string
  readonly 'client-key'?: string
  readonly token?: string
  readonly username?: string
  readonly password?: string
  readonly as?: string
  readonly 'as-uid'?: string
  readonly 'as-group'?: readonly string[]
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>
  /** `5s`, or a number of seconds; 0 for no limit. */
  readonly 'request-timeout'?: string
}
