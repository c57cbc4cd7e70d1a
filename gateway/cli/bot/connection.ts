import { readFileSync } from 'node:fs'
import { type CommandInput, WrongUsage } from '../command.ts'
import { ApiClient } from './api-client.ts'

/** Options of all commands that call a server. */
export const CONNECTION = {
  url: { type: 'string' },
  'token-file': { type: 'string' },
  token: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const CONNECTION_HELP = `  --url <address>       of the server, e.g. https://parley.example.com; default PARLEY_URL
  --token-file <file>   holds the API token; default PARLEY_TOKEN_FILE, or the token itself in PARLEY_TOKEN
  --json                print one JSON object`

const tokenIn = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new WrongUsage(`The token cannot be read from ${file}: ${error instanceof Error ? error.message : error}`)
  }
}

const warn = (text: string) => process.stderr.write(`Warning: ${text}\n`)

const tokenOf = ({ options, environment }: CommandInput): string => {
  const { token, 'token-file': file } = options
  if (typeof token === 'string') {
    warn('other users of this machine see a token on the command line. Use PARLEY_TOKEN or --token-file.')
    return token
  }
  if (typeof file === 'string') return tokenIn(file)
  return environment.PARLEY_TOKEN || (environment.PARLEY_TOKEN_FILE ? tokenIn(environment.PARLEY_TOKEN_FILE) : '')
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || host.startsWith('127.')

/** @throws WrongUsage when the address or the token is missing */
export const connect = (input: CommandInput): ApiClient => {
  const url = typeof input.options.url === 'string' ? input.options.url : input.environment.PARLEY_URL
  if (!url) throw new WrongUsage('The address of the server is missing: --url or PARLEY_URL.')
  const token = tokenOf(input)
  if (token === '') throw new WrongUsage('The API token is missing: PARLEY_TOKEN or --token-file.')
  if (!/^[\x21-\x7e]+$/.test(token)) throw new WrongUsage('The API token has characters that no token has.')
  try {
    const { protocol, hostname } = new URL(url)
    if (protocol === 'http:' && !isLoopback(hostname)) warn('the token is sent without encryption. Use https.')
    return new ApiClient(url, token)
  } catch {
    throw new WrongUsage(`"${url}" is no address such as https://parley.example.com.`)
  }
}
