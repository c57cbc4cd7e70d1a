import { Button, chakra, HStack } from '@chakra-ui/react'
import { SquareFunction } from 'lucide-react'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type * as Y from 'yjs'
import { scriptOf } from '#domain/flow/document/document.ts'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { useDesigner } from '../session/designer.ts'
import { ScriptText } from './shared-text.tsx'

/** Most look at a script, and seldom run it. */
const running = lazyModule(async () => {
  const [{ RunScript }, { scriptParameters }] = await Promise.all([
    import('../blocks/handler/run-script.tsx'),
    import('../blocks/handler/script-parameters.ts'),
  ])
  return { RunScript, scriptParameters }
})

const useTextValue = (text: Y.Text): string => {
  const subscribe = useCallback(
    (listener: () => void) => {
      text.observe(listener)
      return () => text.unobserve(listener)
    },
    [text],
  )
  return useSyncExternalStore(subscribe, () => text.toString())
}

const Running = ({ text }: { readonly text: Y.Text }) => {
  const { value } = useLazyModule(running)
  const source = useTextValue(text)
  if (value === undefined) return null
  return <value.RunScript source={source} parameters={value.scriptParameters(source)} />
}

/** A handler's own code, beside its flow; everyone types in it at once. */
export const ScriptEditor = () => {
  const { t } = useTranslation('designer')
  const { room, mayEdit } = useDesigner()
  const [isTrying, setTrying] = useState(false)
  const text = scriptOf(room.doc)
  return (
    <chakra.section
      data-region="dock"
      aria-label={t('script.title')}
      borderTopWidth="1px"
      bg="bg.surface"
      px="4"
      py="3"
      flex="none"
    >
      <HStack gap="2" mb="2">
        <SquareFunction size={16} aria-hidden />
        <chakra.label id="pl-script-label" htmlFor="pl-script" fontSize="sm" fontWeight="semibold" flex="1">
          {t('script.title')}
        </chakra.label>
        {mayEdit ? (
          <Button size="xs" variant="ghost" aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
            {t('try.title')}
          </Button>
        ) : null}
      </HStack>
      <div className="pl-script" data-trying={isTrying || undefined}>
        <ScriptText text={text} id="pl-script" code rows={7} readOnly={!mayEdit} />
        {isTrying ? (
          <section className="pl-script-run" aria-label={t('try.title')}>
            <Running text={text} />
          </section>
        ) : null}
      </div>
    </chakra.section>
  )
}
