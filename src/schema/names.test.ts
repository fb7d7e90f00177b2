import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fieldPath } from './field-path.js'
import * as identifiers from './identifiers.js'
import * as labels from './label-names.js'
import * as names from './names.js'

type Rule = (value: string) => names.Messages

function good(rule: Rule, ...values: readonly string[]): void {
  for (const value of values) assert.deepEqual(rule(value), [], `${rule.name} of ${value}`)
}

function bad(rule: Rule, cases: Readonly<Record<string, readonly string[]>>): void {
  for (const [value, messages] of Object.entries(cases))
    assert.deepEqual(rule(value), messages, `${rule.name} of ${value}`)
}

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const nameForm =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

describe('domain names', () => {
  test('a label is one part', () => {
    good(names.dnsLabel, 'a', '0', 'web-1', 'a'.repeat(63))
    bad(names.dnsLabel, {
      '': [label],
      Web: [label],
      '-a': [label],
      'a-': [label],
      a_b: [label],
      'a.b': ['must not contain dots'],
      ['a'.repeat(64)]: ['must be no more than 63 characters'],
      ['A'.repeat(64)]: ['must be no more than 63 characters', label],
      ['é'.repeat(32)]: ['must be no more than 63 characters', label],
    })
  })

  test('a subdomain has parts with dots between them', () => {
    good(names.dnsSubdomain, 'a', 'example.com', '1.2.3.4', 'a'.repeat(253))
    bad(names.dnsSubdomain, {
      '': [subdomain],
      Bad_Name: [subdomain],
      'a..b': [subdomain],
      '.a': [subdomain],
      'a.': [subdomain],
      [`a${'.b'.repeat(127)}`]: ['must be no more than 253 characters'],
    })
  })

  test('formats that are declared with the type count bytes', () => {
    bad(names.shortName, { ['a'.repeat(64)]: ['must be no more than 63 bytes'], 'a.b': ['must not contain dots'] })
    bad(names.longName, { ['a'.repeat(254)]: ['must be no more than 253 bytes'], A: [subdomain] })
  })

  test('a service name begins with a letter', () => {
    good(names.dns1035Label, 'a', 'web-1')
    bad(names.dns1035Label, {
      '1web': [
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
      ['a'.repeat(64)]: ['must be no more than 63 characters'],
    })
  })

  test('a wildcard replaces the first part', () => {
    good(names.wildcardSubdomain, '*.example.com', '*.a')
    bad(names.wildcardSubdomain, {
      '*.*.example.com': [
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    })
    assert.equal(names.wildcardSubdomain('example.com').length, 1)
    assert.equal(names.wildcardSubdomain('a.*.com').length, 1)
  })

  test('search domains may have underscores', () => {
    good(names.subdomainWithUnderscores, '_sip._tcp.example.com', 'a_b')
    assert.equal(names.subdomainWithUnderscores('a_').length, 1)
  })

  test('path segments may not contain characters that are special in a path', () => {
    good(names.pathSegment, 'system:node', 'With Space', '', '...')
    bad(names.pathSegment, {
      '.': ["may not be '.'"],
      '..': ["may not be '..'"],
      'a/b': ["may not contain '/'"],
      'a%2fb/': ["may not contain '/'", "may not contain '%'"],
    })
    good(names.pathSegmentPrefix, '..')
  })

  test('fully qualified names have enough parts', () => {
    const path = fieldPath('name')
    assert.deepEqual(names.fullyQualifiedName(path, 'a.example.com'), [])
    assert.deepEqual(names.fullyQualifiedName(path, '').map(String), ['name: Required value'])
    assert.deepEqual(names.fullyQualifiedName(path, 'short').map(String), [
      'name: Invalid value: "short": should be a domain with at least three segments separated by dots',
    ])
    assert.deepEqual(names.fullyQualifiedName(path, 'A.b.c').map(String), [
      `name: Invalid value: "A.b.c": ${subdomain}`,
    ])
    assert.deepEqual(names.fullyQualifiedDomainName(path, 'example.com.'), [])
    assert.deepEqual(names.fullyQualifiedDomainName(path, '').map(String), ['name: Required value'])
    assert.deepEqual(names.fullyQualifiedDomainName(path, 'com').map(String), [
      'name: Invalid value: "com": should be a domain with at least two segments separated by dots',
    ])
    const long = 'a'.repeat(64)
    assert.deepEqual(names.fullyQualifiedDomainName(path, `${long}.com`).map(String), [
      `name: Invalid value: "${long}": must be no more than 63 characters`,
    ])
    assert.deepEqual(names.fullyQualifiedDomainName(path, 'Example..com').map(String), [
      `name: Invalid value: "Example..com": ${subdomain}`,
    ])
  })
})

describe('labels', () => {
  test('keys are names with an optional domain', () => {
    good(labels.labelKey, 'app', 'example.com/Tier_1', `${'a'.repeat(253)}/${'b'.repeat(63)}`, '1.2')
    bad(labels.labelKey, {
      '': ['name part must be non-empty', `name part ${nameForm}`],
      'bad key': [`name part ${nameForm}`],
      'a/': ['name part must be non-empty', `name part ${nameForm}`],
      '/a': ['prefix part must be non-empty'],
      'Example_Com/x': [`prefix part ${subdomain}`],
      'Example_Com/-': [`prefix part ${subdomain}`, `name part ${nameForm}`],
      'a/b/c': [
        `a valid label key ${nameForm} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
      ['k'.repeat(64)]: ['name part must be no more than 63 bytes'],
      [`${'a'.repeat(254)}/x`]: ['prefix part must be no more than 253 bytes'],
    })
  })

  test('some keys need a domain', () => {
    good(labels.prefixedLabelKey, 'example.com/key')
    bad(labels.prefixedLabelKey, { key: ["must include a prefix (e.g. 'example.com/key')"] })
    assert.equal(labels.prefixedLabelKey('a/b/c').length, 1)
  })

  test('values may be empty', () => {
    good(labels.labelValue, '', 'MyValue', 'a.b_c-d', 'x'.repeat(63))
    const form =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
    bad(labels.labelValue, {
      'bad value!': [form],
      '-a': [form],
      'a\n': [form],
      ['x'.repeat(64)]: ['must be no more than 63 bytes'],
      [' '.repeat(64)]: ['must be no more than 63 bytes', form],
    })
  })

  test('domain-prefixed keys and paths', () => {
    const path = fieldPath('key')
    const ofKey = (value: string) => labels.domainPrefixedKey(path, value).map(String)
    const ofPath = (value: string) => labels.domainPrefixedPath(path, value).map(String)
    assert.deepEqual(ofKey('acme.io/foo'), [])
    assert.deepEqual(ofKey(''), ['key: Required value'])
    assert.deepEqual(ofKey('foo'), ['key: Invalid value: "foo": must be a domain-prefixed key (such as "acme.io/foo")'])
    assert.deepEqual(ofKey('a b'), [`key: Invalid value: "a b": name part ${nameForm}`])
    assert.deepEqual(ofPath('acme.io/foo/bar'), [])
    assert.deepEqual(ofPath(''), ['key: Required value'])
    for (const text of ['no-slash', '/foo', 'acme.io/'])
      assert.deepEqual(ofPath(text), [
        `key: Invalid value: "${text}": must be a domain-prefixed path (such as "acme.io/foo")`,
      ])
    assert.deepEqual(ofPath('Acme/a b'), [
      `key: Invalid value: "Acme": ${subdomain}`,
      "key: Invalid value: \"a b\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
    ])
  })
})

describe('other names', () => {
  test('identifiers of C', () => {
    good(identifiers.cIdentifier, 'my_name', '_', 'A1')
    bad(identifiers.cIdentifier, {
      '1a': [
        "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')",
      ],
    })
  })

  test('environment variables', () => {
    good(identifiers.environmentVariableName, 'A', '1', 'with space', '..', 'a!')
    const form = "a valid environment variable name must consist only of printable ASCII characters other than '='"
    bad(identifiers.environmentVariableName, {
      '': ['environment variable name must be non-empty'],
      'a=b': [form],
      'a\tb': [form],
      é: [form],
    })
    good(identifiers.strictEnvironmentVariableName, 'my.env-name', 'A1', '-')
    const strict =
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')"
    bad(identifiers.strictEnvironmentVariableName, {
      '1a': [strict],
      '.': ["must not be '.'"],
      '..a': ["must not start with '..'"],
    })
  })

  test('keys of config maps are file names', () => {
    good(identifiers.configMapKey, 'key.name', '.hidden', '...a'.slice(2), 'A_b-c')
    const form =
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
    bad(identifiers.configMapKey, {
      '': [form],
      'a/b': [form],
      '.': ["must not be '.'"],
      '..': ["must not be '..'"],
      '..a': ["must not start with '..'"],
      '../a': [form, "must not start with '..'"],
      ['a'.repeat(254)]: ['must be no more than 253 characters'],
    })
  })

  test('ports', () => {
    good(identifiers.portName, 'http', 'a', '8080-tcp', 'a-b-c', 'x'.repeat(15))
    bad(identifiers.portName, {
      '': [
        'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'must contain at least one letter (a-z)',
      ],
      '8080': ['must contain at least one letter (a-z)'],
      'THIS-IS-WAY-TOO-LONG': [
        'must be no more than 15 characters',
        'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'must contain at least one letter (a-z)',
      ],
      'a--b': ['must not contain consecutive hyphens'],
      '-a': ['must not begin or end with a hyphen'],
      'a-': ['must not begin or end with a hyphen'],
    })
    assert.deepEqual(identifiers.portNumber(1), [])
    assert.deepEqual(identifiers.portNumber(65_535), [])
    assert.deepEqual(identifiers.portNumber(0), ['must be between 1 and 65535, inclusive'])
    assert.deepEqual(identifiers.userOrGroupId(-1), ['must be between 0 and 2147483647, inclusive'])
  })

  test('headers, percentages and reasons', () => {
    good(identifiers.httpHeaderName, 'X-Header-Name')
    bad(identifiers.httpHeaderName, {
      'Bad Header': [
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      ],
    })
    good(identifiers.percent, '0%', '150%')
    bad(identifiers.percent, {
      half: [
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    })
    good(identifiers.conditionReason, 'Ready', 'ReasonA,ReasonB', 'a_')
    assert.match(identifiers.conditionReason('1st')[0]!, /^a condition reason must start with alphabetic character/)
  })
})

test('every validation takes linear time', () => {
  const rules: Rule[] = [
    names.dnsLabel,
    names.dnsSubdomain,
    names.dns1035Label,
    names.wildcardSubdomain,
    names.subdomainWithUnderscores,
    labels.labelKey,
    labels.labelValue,
    identifiers.portName,
    identifiers.conditionReason,
    identifiers.configMapKey,
  ]
  const hostile = [
    'a'.repeat(1_000_000),
    'a.'.repeat(500_000),
    'a-'.repeat(500_000),
    '*.'.repeat(500_000),
    '_a'.repeat(500_000),
  ]
  for (const rule of rules) for (const text of hostile) assert.ok(rule(`${text}!`).length > 0)
})

test('every DNS label is also a subdomain, a label value and the name of a label key', () =>
  fc.assert(
    fc.property(fc.stringMatching(/^[-a-z0-9.A]{1,70}$/), (text) => {
      if (names.dnsLabel(text).length > 0) return
      good(names.dnsSubdomain, text)
      good(labels.labelValue, text)
      good(labels.labelKey, text, `example.com/${text}`)
    }),
  ))
