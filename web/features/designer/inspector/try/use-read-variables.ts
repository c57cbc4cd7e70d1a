import { useEffect, useState } from 'react'
import type { TemplateKind } from '#domain/expression/delimiter.ts'
import type { ParserName } from '#domain/expression/engine.ts'
import { checkTemplate } from '#domain/expression/template-check.ts'

export interface WrittenText {
  readonly text: string
  readonly kind: TemplateKind
}

/** Names of the variables that some texts read, each once, in their order. */
export const useReadVariables = (texts: readonly WrittenText[], parser: ParserName): readonly string[] => {
  const [names, setNames] = useState<readonly string[]>([])
  const key = JSON.stringify(texts)
  useEffect(() => {
    let isLeft = false
    const all = (JSON.parse(key) as readonly WrittenText[]).map(text => checkTemplate({ ...text, parser }))
    void Promise.all(all).then(checked => {
      const read = checked.flatMap(({ references }) => references.map(({ name }) => name))
      if (!isLeft) setNames([...new Set(read)])
    })
    return () => {
      isLeft = true
    }
  }, [key, parser])
  return names
}
