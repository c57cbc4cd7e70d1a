import { expectTypeOf, test } from 'vitest'
import type { Json } from './event.ts'
import type { NamedRow, Row, RowOf } from './row.ts'

type Mapping = RowOf<'campaign'>['mapping'][number]

test('types the fields of a row by their declaration [P-2120]', () => {
  expectTypeOf<RowOf<'campaign'>['name']>().toEqualTypeOf<string>()
  expectTypeOf<RowOf<'campaign'>['metaaccount']>().toEqualTypeOf<string | null>()
  expectTypeOf<RowOf<'campaign'>['enabled']>().toEqualTypeOf<boolean>()
  expectTypeOf<RowOf<'campaign'>['rate']>().toEqualTypeOf<number>()
  expectTypeOf<RowOf<'campaign'>['repeat']>().toEqualTypeOf<'new' | 'everyone'>()
  expectTypeOf<RowOf<'campaign'>['fire_skipped']>().toEqualTypeOf<'late' | 'open' | 'incomplete' | null>()
  expectTypeOf<RowOf<'usergroup'>['roles']>().toEqualTypeOf<readonly string[]>()
  expectTypeOf<RowOf<'brain'>['models']>().toEqualTypeOf<Json>()
})

test('types null where a value may be absent: hidden, forgotten or secret [P-2120]', () => {
  expectTypeOf<RowOf<'mlchannel'>['url']>().toEqualTypeOf<string | null>()
  expectTypeOf<RowOf<'user'>['username']>().toEqualTypeOf<string | null>()
  expectTypeOf<RowOf<'metaaccount'>['access_token']>().toEqualTypeOf<{ readonly set: true } | null>()
  expectTypeOf<RowOf<'globalvariable'>['value']>().toEqualTypeOf<string | { readonly set: true } | null>()
})

test('omits passwords and internal fields from the type of a row [P-2120]', () => {
  expectTypeOf<RowOf<'user'>>().not.toHaveProperty('password')
  expectTypeOf<RowOf<'campaign'>>().not.toHaveProperty('fired_at')
})

test('types members of list items as optional unless they are required [P-2120]', () => {
  expectTypeOf<Mapping['id']>().toEqualTypeOf<string>()
  expectTypeOf<Mapping['variable']>().toEqualTypeOf<string>()
  expectTypeOf<Mapping['text']>().toEqualTypeOf<string | null | undefined>()
})

test('types the row of a name known at run time as a plain row [P-2120]', () => {
  expectTypeOf<NamedRow<string>>().toEqualTypeOf<Row>()
  expectTypeOf<NamedRow<'bot'>>().toEqualTypeOf<RowOf<'bot'>>()
  expectTypeOf<RowOf<'dialog' | 'handler'>['published']>().toEqualTypeOf<boolean>()
})
