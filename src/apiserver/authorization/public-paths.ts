import { type Attributes, type Authorizer, allow, noOpinion } from './authorizer.js'

interface PathRule {
  readonly role: string
  readonly groups: readonly string[]
  /** A star at the end stands for anything. */
  readonly paths: readonly string[]
}

/** The part of the initial roles without which a client cannot even find out what is served. */
const rules: readonly PathRule[] = [
  {
    role: 'system:public-info-viewer',
    groups: ['system:authenticated', 'system:unauthenticated'],
    paths: ['/healthz', '/livez', '/readyz', '/version', '/version/'],
  },
  {
    role: 'system:discovery',
    groups: ['system:authenticated'],
    paths: ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*'],
  },
]

export const publicPathsAuthorizer: Authorizer = {
  name: 'public paths',
  authorize(attributes) {
    if (attributes.isResource || attributes.verb !== 'get') return noOpinion
    const rule = rules.find((candidate) => covers(candidate, attributes))
    return rule ? allow(rule.role) : noOpinion
  },
}

function covers({ groups, paths }: PathRule, { user, path }: Attributes): boolean {
  return groups.some((group) => user.groups.includes(group)) && paths.some((pattern) => matches(pattern, path))
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}
