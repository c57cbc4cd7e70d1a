import { parseMarkdown } from './parse.ts'

self.onmessage = ({ data }: MessageEvent<string>) => {
  try {
    self.postMessage(parseMarkdown(data))
  } catch {
    // Nested deeper than the stack: undefined stands for a text that has no tree.
    self.postMessage(undefined)
  }
}
