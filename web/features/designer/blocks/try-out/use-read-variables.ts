import { useEffect, useState } from 'react'
import type { ParserName } from '#domain/expression/engine.ts'
import type { TemplateKind } from '#domain/expression/template.ts'
import { checkTemplate } from '#domain/expression/template-check.ts'

export interface TemplateSource {
  readonly text: string
  readonly kind: TemplateKind
  /** The variable that it gives a value to: texts after it read what it gave. */
  readonly sets?: string
}

/** Names of the variables that some texts read and that no text before them sets, each once, in their order. */
export const useReadVariables = (texts: readonly TemplateSource[], parser: ParserName): readonly string[] => {
  const [names, setNames] = useState<readonly string[]>([])
  const key = JSON.stringify(texts)
  useEffect(() => {
    let isLeft = false
    const written = JSON.parse(key) as readonly TemplateSource[]
    void Promise.all(written.map(text => checkTemplate({ ...text, parser }))).then(checked => {
      const set = new Set<string | undefined>()
      const read = checked.flatMap(({ references }, place) => {
        const found = references.map(({ name }) => name).filter(name => !set.has(name))
        set.add(written[place]?.sets)
        return found
      })
      if (!isLeft) setNames([...new Set(read)])
    })
    return () => {
      isLeft = true
    }
  }, [key, parser])
  return names
}
