import { Button, chakra, HStack, Kbd } from '@chakra-ui/react'
import { Plus, Shapes } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../commands/commands.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'

const ExampleDialog = lazy(() =>
  import('../example/example-dialog.tsx').then(module => ({ default: module.ExampleDialog })),
)

/**
 * True in a flow of the start block alone that one may edit. The block is selected when the flow opens like that, but not
 * when the last other block was removed: a second Backspace would take the start block too.
 */
const useOnlyStart = (): boolean => {
  const { canvas, mayEdit } = useDesigner()
  const only = useStoreValue(canvas.flow, ({ nodes }) => {
    const [first] = nodes.values()
    return nodes.size === 1 && first?.type === 'start' ? first.id : undefined
  })
  const isShown = only !== undefined && mayEdit
  const hadMore = useRef(false)
  const count = useStoreValue(canvas.flow, ({ nodes }) => nodes.size)
  useEffect(() => {
    if (count > 1) hadMore.current = true
    if (!isShown || hadMore.current || canvas.selection.get().blocks.size > 0) return
    canvas.selection.set({ blocks: new Set([only]), links: new Set() })
  }, [isShown, only, count, canvas])
  return isShown
}

/** In a flow with only a start block: selects it, and a line explains the next step. */
export const FirstBlockHint = () => {
  const { t } = useTranslation('designer')
  const commands = useCommands()
  const [isChoosing, setChoosing] = useState(false)
  const isShown = useOnlyStart()
  const dialog = isChoosing ? (
    <Suspense fallback={null}>
      <ExampleDialog onClose={() => setChoosing(false)} />
    </Suspense>
  ) : null
  if (!isShown) return dialog
  return (
    <>
      <chakra.div
        position="absolute"
        left="50%"
        top="66%"
        pointerEvents="none"
        transform="translateX(-50%)"
        zIndex="5"
        display="flex"
        flexWrap="wrap"
        justifyContent="center"
        alignItems="center"
        gap="3"
        px="4"
        py="3"
        w="max-content"
        maxW="min(560px, calc(100% - 24px))"
        bg="bg.raised"
        borderWidth="1px"
        borderRadius="lg"
        boxShadow="raised"
        textStyle="dense"
        role="note"
      >
        <HStack gap="1.5">
          <span>{t('first.press')}</span>
          <Kbd>A</Kbd>
          <span>{t('first.drag')}</span>
        </HStack>
        <HStack gap="2" pointerEvents="auto">
          <Button variant="solid" size="sm" onClick={() => commands.openAdd()}>
            <Plus size={15} aria-hidden="true" />
            {t('first.add')}
          </Button>
          <Button size="sm" onClick={() => setChoosing(true)}>
            <Shapes size={15} aria-hidden="true" />
            {t('first.example')}
          </Button>
        </HStack>
      </chakra.div>
      {dialog}
    </>
  )
}
