import { describe, expect, test } from 'vitest'
import { patchUser, readUser } from './scim-user.ts'
import { readOperations, readUserFilter, ScimFault } from './syntax.ts'

const faultOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof ScimFault) return error.scimType
    throw error
  }
  return 'none'
}

const atPath = (path: string) => readOperations({ Operations: [{ op: 'remove', path }] })

describe('a filter', () => {
  test.each([
    ['userName eq "a b"', [{ attribute: 'username', value: 'a b' }]],
    [' USERNAME Eq "x\\"y" ', [{ attribute: 'username', value: 'x"y' }]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', [{ attribute: 'username', value: 'a' }]],
    [
      'externalId eq "1" AND active eq True',
      [
        { attribute: 'externalid', value: '1' },
        { attribute: 'active', value: true },
      ],
    ],
    ['active eq "False"', [{ attribute: 'active', value: false }]],
    ['emails[ type eq "work" ].value eq "a@b.c"', [{ attribute: 'emails[type eq "work"].value', value: 'a@b.c' }]],
    ['id eq "and"', [{ attribute: 'id', value: 'and' }]],
  ])('reads %s [P-2638]', (text, expected) => {
    expect(readUserFilter(text)).toEqual(expected)
  })

  test.each([
    '',
    'userName',
    'userName eq',
    'userName eq a',
    'userName eq "a',
    'userName eq "a" or id eq "b"',
    'userName eq "a" and',
    'userName eq "a"and id eq "b"',
    'userName sw "a"',
    'userName eq true',
    'active eq "maybe"',
    'password eq "a"',
    'displayName eq "a"',
    'emails[type eq "home"].value eq "a"',
    'not (userName eq "a")',
    '(userName eq "a")',
    'userName eq "\\u00"',
    Array.from({ length: 11 }, () => 'id eq "a"').join(' and '),
  ])('refuses %s with invalidFilter [P-2638]', text => {
    expect(faultOf(() => readUserFilter(text))).toBe('invalidFilter')
  })

  test('is refused in a time that does not grow with its size [P-2639]', () => {
    const hostile = [
      `userName eq "${'\\'.repeat(900_000)}`,
      `${' '.repeat(900_000)}userName`,
      `${'a.'.repeat(450_000)} eq "b"`,
      `id eq "a"${' and id eq "a"'.repeat(70_000)}`,
      `emails[${' '.repeat(900_000)}type`,
    ]
    const began = process.cpuUsage()
    for (const text of hostile) {
      expect(faultOf(() => readUserFilter(text))).toBe('invalidFilter')
      expect(faultOf(() => atPath(text))).toBe('invalidPath')
      // The longest that is read.
      expect(faultOf(() => readUserFilter(text.slice(0, 1_000)))).toBe('invalidFilter')
      expect(faultOf(() => atPath(text.slice(0, 1_000)))).toBe('invalidPath')
    }
    // Of the processor: others may use it too.
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(500)
    // One character more than the most, in the right form.
    for (const [most, fault] of [
      [1_000, 'none'],
      [1_001, 'invalidFilter'],
    ] as const)
      expect(faultOf(() => readUserFilter(`id eq "${'a'.repeat(most - 8)}"`))).toBe(fault)
    expect(faultOf(() => atPath('a'.repeat(1_000)))).toBe('none')
    expect(faultOf(() => atPath('a'.repeat(1_001)))).toBe('invalidPath')
  })
})

describe('a PATCH of a person', () => {
  const patched = (...Operations: object[]) => patchUser(readOperations({ Operations } as never))

  test.each([
    ['a path', { op: 'replace', path: 'userName', value: 'b' }, { username: 'b' }],
    ['any case', { op: 'RePlace', path: 'USERNAME', value: 'b' }, { username: 'b' }],
    ['no path', { op: 'add', value: { 'name.givenName': 'A', active: 'False' } }, { firstname: 'A', active: false }],
    ['a nested name', { op: 'Add', value: { name: { familyName: 'B' } } }, { lastname: 'B' }],
    ['a list of one', { op: 'Replace', path: 'name.givenName', value: [{ value: 'A' }] }, { firstname: 'A' }],
    ['a removal', { op: 'remove', path: 'name.givenName' }, { firstname: null }],
    ['the removal of a name', { op: 'remove', path: 'name' }, { firstname: null, lastname: null }],
    ['text for true', { op: 'Replace', path: 'active', value: 'True' }, { active: true }],
    ['an address of work', { op: 'add', path: 'emails[type eq "work"].value', value: 'a@b.c' }, { email: 'a@b.c' }],
    ['the primary address', { op: 'add', path: 'emails[primary eq true].value', value: 'a@b.c' }, { email: 'a@b.c' }],
    ['an address of home', { op: 'add', path: 'emails[type eq "home"].value', value: 'a@b.c' }, {}],
    ['what is not kept', { op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '1' }, {}],
    ['an id beside other values', { op: 'replace', value: { id: 'x', active: false } }, { active: false }],
    ['an unknown language', { op: 'replace', path: 'locale', value: 'fr-FR' }, {}],
    ['a known language', { op: 'replace', path: 'locale', value: 'en-US' }, { language: 'en' }],
  ])('reads %s [P-2640]', (_name, operation, expected) => {
    expect(patched(operation)).toEqual(expected)
  })

  test('of several operations at one place the last one counts [P-2640]', () => {
    const first = { op: 'replace', path: 'active', value: false }
    expect(patched(first, { op: 'replace', path: 'active', value: true })).toEqual({ active: true })
  })

  test.each([
    ['mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['mutability', { op: 'add', path: 'groups', value: [{ value: 'x' }] }],
    ['invalidValue', { op: 'remove', path: 'userName' }],
    ['invalidValue', { op: 'replace', path: 'active', value: 'perhaps' }],
    ['invalidValue', { op: 'replace', path: 'userName', value: { a: 1 } }],
    ['invalidValue', { op: 'replace', path: 'externalId', value: 'x'.repeat(201) }],
    ['invalidValue', { op: 'add', path: 'userName' }],
    ['invalidValue', { op: 'add', value: 'x' }],
    ['invalidSyntax', { op: 'move', path: 'userName', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'userName eq', value: 'x' }],
    ['invalidPath', { op: 'add', path: 7, value: 'x' }],
    ['noTarget', { op: 'remove' }],
  ])('refuses with %s: %o [P-2640]', (fault, operation) => {
    expect(faultOf(() => patched(operation))).toBe(fault)
  })

  test('refuses a body without a list of operations, and one of more than 1,000 [P-2640]', () => {
    expect(faultOf(() => readOperations(undefined))).toBe('invalidSyntax')
    expect(faultOf(() => readOperations({ Operations: 'all' }))).toBe('invalidSyntax')
    const one = { op: 'add', path: 'active', value: true }
    expect(faultOf(() => patched(...Array.from({ length: 1_001 }, () => one)))).toBe('invalidValue')
    expect(patched(...Array.from({ length: 1_000 }, () => one))).toEqual({ active: true })
  })
})

test('a whole person clears names and address that it lacks, and leaves the rest [P-2641]', () => {
  const body = {
    USERNAME: 'a',
    emails: [
      { value: 'a@b.c', type: 'home' },
      { value: 'w@b.c', type: 'work' },
    ],
    meta: {},
  }
  expect(readUser(body, true)).toEqual({ username: 'a', firstname: null, lastname: null, email: 'w@b.c' })
  expect(readUser({ userName: 'a', emails: ['x@b.c'] }, false)).toEqual({ username: 'a', email: 'x@b.c' })
  expect(faultOf(() => readUser({ emails: [] }, true))).toBe('invalidValue')
  expect(faultOf(() => readUser([], true))).toBe('invalidSyntax')
})
