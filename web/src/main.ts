import './style.css';
import { App } from './app';

const root = document.getElementById('app')!;
App.start(root).catch((error: unknown) => {
  const text = document.createElement('p');
  text.className = 'problem';
  text.style.padding = '2rem';
  text.textContent = `The explorer could not start: ${(error as Error).message}`;
  root.replaceChildren(text);
});
