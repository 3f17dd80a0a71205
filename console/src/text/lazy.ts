import { type ComponentType, lazy } from 'react';
import { loadModule } from '../session/modules.js';
import { withTexts } from './catalogue.js';

/** Loads a module with its texts. Those of the folders are loaded beside it, and others after it. */
export const loadShown = <Module>(load: () => Promise<Module>, folders?: readonly string[]): Promise<Module> =>
  withTexts(loadModule(load), folders);

/** A component that is loaded when it is shown for the first time. */
export const lazyPart = <Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) => lazy(async () => ({ default: (await loadShown(load))[name] }));
