import type { SQLOutputValue } from 'node:sqlite'
import { toPosition } from './position.ts'

const MOST_EVENTS = 512
const MOST_TEXT = 512 * 1024

/** Rows of events gathered as one JSON array: one string crosses the thread far cheaper than its objects would. */
export class EventChunk {
  private readonly texts: string[] = []
  private length = 0

  get count(): number {
    return this.texts.length
  }

  get full(): boolean {
    return this.texts.length >= MOST_EVENTS || this.length >= MOST_TEXT
  }

  add(row: Record<string, SQLOutputValue>): void {
    const { data, position, ...rest } = row
    const head = JSON.stringify({ ...rest, position: toPosition(Number(position)) })
    const text = `${head.slice(0, -1)},"data":${data}}`
    this.texts.push(text)
    this.length += text.length
  }

  json(): string {
    return `[${this.texts.join()}]`
  }
}
