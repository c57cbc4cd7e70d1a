import { expect, test } from 'vitest'
import texts from '#schemas/locales/en/entity.json' with { type: 'json' }
import { ACTION_GROUPS } from './action-groups.ts'

/** The failed sign-in under an unknown name is found with those under known names. */
const JOINED = ['failed']

test('offers every verb of the audit once, in its group [P-1809]', () => {
  const offered = Object.values(ACTION_GROUPS).flat()
  expect(offered.toSorted()).toEqual(
    Object.keys(texts.common.verb)
      .filter(verb => !JOINED.includes(verb))
      .toSorted(),
  )
})
