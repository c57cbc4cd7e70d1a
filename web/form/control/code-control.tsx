import { Box } from '@chakra-ui/react'
import { useState } from 'react'
import { latePart, useLatePart } from '#web/lazy-module.ts'
import type { CodeProps } from './control-props.ts'
import { TextControl } from './text-control.tsx'

const codeEditor = latePart(async () => (await import('./code-editor.tsx')).CodeEditor)

/** An editor with colours and checks. Until it is loaded, and where it cannot be, a plain one. */
export const CodeControl = (props: CodeProps) => {
  const { value: Editor } = useLatePart(codeEditor)
  const [isFocused, setFocused] = useState(false)
  if (Editor !== undefined && !isFocused) return <Editor {...props} />
  return (
    // A focused input is not replaced.
    <Box w="100%" onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
      <TextControl {...props} monospace={props.expression !== 'text'} />
    </Box>
  )
}
