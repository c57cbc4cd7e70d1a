import type { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { AgentPerson } from './port.ts'

/** Parses an answer in the expected form; other members are dropped. */
export const readAnswer = <T>(schema: z.ZodType<T>, answer: Result<Json>): Result<T> => {
  if (!answer.ok) return answer
  const read = schema.safeParse(answer.value)
  return read.success ? accepted(read.data) : refused('agent.answer')
}

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '')

export const numberOf = (fields: JsonObject, name: string, otherwise: number): number => {
  const value = fields[name]
  return typeof value === 'number' ? value : otherwise
}

/** An address without trailing slashes. */
export const baseOf = (value: Json | undefined): string => textOf(value).replace(/(?<!\/)\/+$/u, '')

export const agentOf = (name: string | null | undefined, avatar = ''): AgentPerson => ({ name: name ?? '', avatar })

/** A text with its files as addresses, for systems that take no files. */
export const withFiles = (text: string, files: readonly { readonly name: string; readonly url: string }[]): string =>
  [text, ...files.map(({ name, url }) => `${name}: ${url}`)].filter(line => line !== '').join('\n')
