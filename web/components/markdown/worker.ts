import { parseMarkdown } from './parse.ts'

self.onmessage = ({ data }: MessageEvent<string>) => {
  try {
    self.postMessage(parseMarkdown(data))
  } catch {
    // Nesting exceeded the stack: undefined means no tree.
    self.postMessage(undefined)
  }
}
