import type { Json } from '#schemas/event.ts'

/** By what an answer is checked as. Numbers of people are made up, and valid. */
const CHECKED: Readonly<Record<string, Json>> = {
  Email: 'ana@example.com',
  MobilePhone: '+5511987654321',
  URL: 'https://example.com',
  CPF: '52998224725',
  CNPJ: '11222333000181',
  CEP: '01310100',
  CreditCard: '4111111111111111',
  IP: '192.0.2.1',
  Port: 443,
}

const OF_KIND: Readonly<Record<string, Json>> = {
  text: 'Ana',
  number: 1,
  time: '2026-01-01',
  confirm: true,
  boolean: true,
  location: { latitude: -23.5505, longitude: -46.6333 },
  attachment: [],
  list: [],
  object: {},
  empty: null,
}

/** A value to try with in place of one that may not be read, of the same kind. */
export const exampleValue = (kind: string, checkedAs: string | undefined): Json =>
  CHECKED[checkedAs ?? ''] ?? OF_KIND[kind] ?? ''
