import { describe, expect, test } from 'vitest'
import { errorStatus } from './error-page.tsx'

describe('status of a failure', () => {
  test('prefers statusCode, then status, then the status of the response [C-8.05]', () => {
    expect(errorStatus({ statusCode: 404, status: 403, response: { status: 401 } })).toBe(404)
    expect(errorStatus({ status: 403, response: { status: 401 } })).toBe(403)
    expect(errorStatus({ response: { status: 401 } })).toBe(401)
  })

  test('is 500 when nothing tells a status of a failure [C-8.05]', () => {
    for (const error of [
      undefined,
      null,
      'text',
      404,
      {},
      { status: 0 },
      { status: 200 },
      { status: '404' },
      { response: null },
    ])
      expect(errorStatus(error), JSON.stringify(error)).toBe(500)
  })
})
