import type { JsonObject } from '#schemas/event.ts'
import { answerReader } from '../outbound/system-wire.ts'
import type { AgentPerson } from './agent-port.ts'

export const readAnswer = answerReader('agent.answer')

export const numberOf = (fields: JsonObject, name: string, otherwise: number): number => {
  const value = fields[name]
  return typeof value === 'number' ? value : otherwise
}

export const agentOf = (name: string | null | undefined, avatar = ''): AgentPerson => ({ name: name ?? '', avatar })

/** A text with its files as addresses, for systems that take no files. */
export const withFiles = (text: string, files: readonly { readonly name: string; readonly url: string }[]): string =>
  [text, ...files.map(({ name, url }) => `${name}: ${url}`)].filter(line => line !== '').join('\n')
