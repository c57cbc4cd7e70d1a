import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { citedIds, faultsOf, readSpec, type Spec, specPage } from '../scripts/spec.ts'

const SPEC: Spec = {
  requirements: [
    { id: 'C-1', text: 'Signs in', files: [] },
    { id: 'C-2', text: 'Signs out', files: [] },
  ],
  behaviours: [{ id: 'P-1', text: 'Stays signed in', files: ['stay.test.ts'] }],
  notShown: [{ id: 'C-2', reason: 'Nothing to sign out of.' }],
  citations: new Map([['C-1', ['sign-in.test.ts']]]),
}
const faults = (change: Partial<Spec>) => faultsOf({ ...SPEC, ...change }, file => file === 'stay.test.ts')

describe('test/SPEC.md', () => {
  test('equals the output of `npm run spec`', () => {
    expect(readFileSync(join(import.meta.dirname, 'SPEC.md'), 'utf8')).toBe(specPage(readSpec()))
  })

  test('agrees with the ids in test titles', () => {
    const spec = readSpec()
    expect(spec.requirements.length).toBeGreaterThan(500)
    expect(faultsOf(spec)).toEqual([])
  })
})

describe('the check of lists and tests', () => {
  test('accepts a test for one requirement and a reason for the other', () => {
    expect(faults({})).toEqual([])
  })

  test('reports a requirement without a test and without a reason', () => {
    expect(faults({ notShown: [] })).toEqual(['C-2 has neither a test nor a reason'])
  })

  test('reports a requirement with a test and a reason', () => {
    const notShown = [...SPEC.notShown, { id: 'C-1', reason: 'No time.' }]
    expect(faults({ notShown })).toEqual(['C-1 has a test and a reason for having none'])
  })

  test('reports a cited id that does not exist', () => {
    const citations = new Map([...SPEC.citations, ['C-3', ['other.test.ts']] as const])
    expect(faults({ citations })).toEqual(['C-3 is cited by other.test.ts and does not exist'])
  })

  test('reports a reason that is empty or belongs to no requirement', () => {
    const notShown = [
      { id: 'C-2', reason: '' },
      { id: 'C-4', reason: 'Not built.' },
    ]
    expect(faults({ notShown })).toEqual(['C-2 has an empty reason', 'C-4 has a reason and does not exist'])
  })

  test('reports files that do not exist or cite the behaviour already', () => {
    const behaviours = [{ id: 'P-1', text: 'Stays signed in', files: ['gone.test.ts', 'stay.test.ts'] }]
    const citations = new Map([...SPEC.citations, ['P-1', ['stay.test.ts']] as const])
    expect(faults({ behaviours, citations })).toEqual([
      'P-1 names gone.test.ts, which does not exist',
      'P-1 names stay.test.ts, which cites it',
    ])
  })

  test('reports ids that are listed twice', () => {
    expect(faults({ requirements: [...SPEC.requirements, ...SPEC.requirements.slice(0, 1)] })).toEqual([
      'C-1 is listed twice',
    ])
  })

  test('reads ids from titles and not from comments', () => {
    const id = (text: string) => `[${text}]`
    const source = [`test('signs in ${id('C-1')} ${id('P-2.3')}', …)`, `  // as in ${id('C-4')}`].join('\n')
    expect([...citedIds(source)]).toEqual(['C-1', 'P-2.3'])
  })
})
