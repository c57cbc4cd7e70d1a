import { expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()

const only = async () => (await admin.get('/deploymentsettings')).body.items[0] ?? {}

test('is a single entity with three environments before the first change [D-9.25]', async () => {
  const row = await only()
  expect(row).toMatchObject({ revision: 0, hierarchylevel: null, compose_file: null, compose_checked: null })
  const names = (row.environments as readonly { name: string }[]).map(({ name }) => name)
  expect(names).toEqual(['development', 'pre production', 'production'])
})

test('a compose file is kept with what its check finds, and the check cannot be given [D-5.09]', async () => {
  const { id } = await only()
  const at = `/deploymentsettings/${id}`
  const good = 'version: "3.8"\nservices:\n  web:\n    image: parley:1\n'
  expect((await admin.patch(at, { compose_file: good }, 0)).status).toBe(200)
  expect(await only()).toMatchObject({ compose_file: good, compose_checked: { valid: true, errors: [] } })
  expect((await admin.patch(at, { compose_file: 'services:\n  web: {}\n' }, 1)).status).toBe(200)
  const fault = { line: 2, column: 8, path: 'services.web', code: 'image' }
  expect(await only()).toMatchObject({ compose_checked: { valid: false, errors: [fault] } })
  const forged = await admin.patch(at, { compose_checked: { valid: true, errors: [] } }, 2)
  expect(forged).toMatchObject({ status: 422, body: { errors: [{ path: 'compose_checked', code: 'readonly' }] } })
  expect((await admin.patch(at, { compose_file: null }, 2)).status).toBe(200)
  expect(await only()).toMatchObject({ compose_checked: null })
})

test('an environment has a name and an address of the web', async () => {
  const { id, revision } = await only()
  const wrong = await admin.patch(
    `/deploymentsettings/${id}`,
    { environments: [{ url: 'javascript:1' }] },
    Number(revision),
  )
  expect(wrong.body.errors.map(({ path }) => path).sort()).toEqual(['environments.0.name', 'environments.0.url'])
})
