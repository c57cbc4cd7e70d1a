// The first import of each entry of the bundle: stack traces name files and lines of the sources. Node's own source maps
// would hold 50 MB from the start; here a map is read when a stack trace first needs it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Int8Array(128)
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value
const [COMMA, SEMICOLON] = [44, 59]

/**
 * Places in a bundled file at which another line of the sources begins, ascending: line and column there, source and line.
 * Lines begin with 0. Format of `mappings`: https://tc39.es/ecma426/#sec-mappings
 */
const decode = mappings => {
  const places = []
  const fields = [0, 0, 0, 0, 0]
  let [line, field, value, shift] = [0, 0, 0, 0]
  for (let at = 0; at <= mappings.length; at += 1) {
    const code = at === mappings.length ? SEMICOLON : mappings.charCodeAt(at)
    if (code !== COMMA && code !== SEMICOLON) {
      const digit = VALUES[code]
      value += (digit & 31) << shift
      shift += 5
      if (digit >= 32) continue
      fields[field] += value & 1 ? -(value >>> 1) : value >>> 1
      field += 1
      value = 0
      shift = 0
      continue
    }
    const [column, source, sourceLine] = fields
    const isNew = places.at(-1) !== sourceLine || places.at(-2) !== source || places.at(-4) !== line
    if (field >= 4 && isNew) places.push(line, column, source, sourceLine)
    field = 0
    if (code === COMMA) continue
    line += 1
    fields[0] = 0
  }
  return Int32Array.from(places)
}

const maps = new Map()

const mapOf = file => {
  if (!maps.has(file)) {
    const { sources, mappings } = JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8'))
    maps.set(file, { sources, places: decode(mappings) })
  }
  return maps.get(file)
}

/** File and line of the sources; undefined for code without a source. */
const sourceOf = (file, line, column) => {
  const { sources, places } = mapOf(file)
  let [low, high] = [0, places.length / 4]
  while (low < high) {
    const middle = (low + high) >> 1
    const [atLine, atColumn] = [places[middle * 4], places[middle * 4 + 1]]
    if (atLine < line || (atLine === line && atColumn <= column)) low = middle + 1
    else high = middle
  }
  const place = (low - 1) * 4
  if (low === 0 || places[place] !== line) return undefined
  return `${fileURLToPath(new URL(sources[places[place + 2]], file))}:${places[place + 3] + 1}`
}

const FOLDER = new URL('.', import.meta.url).href

/** A frame as V8 writes it, with the source instead of the bundled file. */
const frameText = frame => {
  const text = String(frame)
  const file = frame.getFileName()
  if (!file?.startsWith(FOLDER)) return text
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()]
  const source = sourceOf(file, line - 1, column - 1)
  return source === undefined ? text : text.replace(`${file}:${line}:${column}`, source)
}

const textOf = error => {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return '<error>'
  }
}

Error.prepareStackTrace = (error, frames) =>
  [textOf(error), ...frames.map(frame => `    at ${frameText(frame)}`)].join('\n')
