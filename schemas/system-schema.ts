import type { JsonObject } from './event.ts'

const string = { type: 'string' } as const
const number = { type: 'number' } as const

/** Variable schemas that are always there, as JSON Schema by the name that flows refer to them with. */
export const SYSTEM_SCHEMAS = {
  'system-location': {
    type: 'object',
    properties: {
      address: string,
      hasMap: string,
      type: string,
      name: string,
      geo: {
        type: 'object',
        properties: { elevation: number, latitude: number, longitude: number, type: string, name: string },
      },
    },
  },
  'system-attachment': {
    type: 'object',
    properties: { contentType: string, contentUrl: string, name: string, content: string, thumbnailUrl: string },
  },
  'system-intent-recognized': {
    type: 'object',
    properties: { intent: string, entities: { type: 'array', items: { type: 'object' } } },
  },
  'system-product-choosen': {
    type: 'object',
    properties: {
      id: string,
      order: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: string, currency: string, amount: number, quantity: number },
        },
      },
    },
  },
} as const satisfies { readonly [name: string]: JsonObject }

export const isSystemSchema = (name: string): boolean => Object.hasOwn(SYSTEM_SCHEMAS, name)
