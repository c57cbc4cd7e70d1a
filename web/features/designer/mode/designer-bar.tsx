import { Button, chakra, type HTMLChakraProps } from '@chakra-ui/react'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#web/components/hint.tsx'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Mark } from '#web/components/mark.tsx'
import { HelpButton } from '#web/help/help-button.tsx'
import { useFlowNames } from '../session/flow-names.ts'

/** Bar at the top of a page of the designer. */
export const BarFrame = (props: HTMLChakraProps<'header'>) => (
  <chakra.header
    data-region="bar"
    display="flex"
    flex="none"
    alignItems="center"
    gap="2"
    h="52px"
    px="3"
    bg="bg.surface"
    borderBottomWidth="1px"
    {...props}
  />
)

interface BarStartProps {
  readonly label: string
  readonly onBack: () => void
  /** The mark is hidden on narrower screens. */
  readonly markFrom?: 'md' | 'lg'
}

/** The way back, the mark and the installation. */
export const BarStart = ({ label, onBack, markFrom = 'md' }: BarStartProps) => (
  <>
    <IconButton icon={ChevronLeft} iconSize={18} label={label} onClick={onBack} />
    <chakra.span hideBelow={markFrom} display="flex" flex="none">
      <Mark />
    </chakra.span>
    <chakra.span hideBelow="sm" display="flex" flex="none">
      <InstanceBadge />
    </chakra.span>
  </>
)

const DialogName = ({ dialog }: { readonly dialog: string }) => {
  const { bot, task, flow } = useFlowNames({ kind: 'dialog', id: dialog })
  const around = [bot?.name, task?.name].filter(name => name !== undefined)
  return (
    <>
      <chakra.span hideBelow="md">{around.map(name => `${name} / `).join('')}</chakra.span>
      <b>{flow?.name ?? '…'}</b>
    </>
  )
}

interface ViewBarProps {
  readonly dialog: string | undefined
  /** Shown without a dialog. */
  readonly title?: string
  readonly leave: string
  readonly onLeave: () => void
  readonly children?: ReactNode
}

/** Bar over conversations on the canvas: the dialog that is shown, and the exit. */
export const ViewBar = ({ dialog, title, leave, onLeave, children }: ViewBarProps) => (
  <BarFrame>
    <BarStart label={leave} onBack={onLeave} />
    <span className="pt-bar-names">
      {dialog === undefined ? <b>{title}</b> : <DialogName key={dialog} dialog={dialog} />}
    </span>
    {children}
    <HelpButton />
    <chakra.span hideBelow="md" display="flex">
      <Button onClick={onLeave}>{leave}</Button>
    </chakra.span>
  </BarFrame>
)
